import { ListMusic } from "lucide-react";
import { Link } from "react-router";
import type { MessagePlaylist } from "../../../../contract/records.ts";
import { PlayButton } from "../../../components/PlayButton.tsx";
import { describePlaylist } from "../../../components/playlists/playlist-facts.ts";
import { isPlayable, playlistPath, usePlaylistPlayback } from "../../../components/playlists/playlist-queue.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/playlists.ts";
import { usePlaylistItems } from "../../../queries/playlists/use-playlist-items.ts";
import { usePlaylist } from "../../../queries/playlists/use-playlists.ts";

const FRAME = "mt-1.5 mb-1 flex h-15 max-w-150 items-center gap-3 rounded-lg px-3";

/** Shows a playlist within its message and plays it; the height never changes as more data arrives. */
export function PlaylistCard({ playlist: { id, name, deleted } }: { playlist: MessagePlaylist }) {
  const { data: playlist, isMissing } = usePlaylist(id, !deleted);
  const { items } = usePlaylistItems(id, !deleted);
  const playback = usePlaylistPlayback(playlist, items);
  if (deleted || isMissing) {
    return (
      <p className={`${FRAME} h-10 border border-dashed border-line-strong text-sm text-text-2`}>
        <ListMusic size={16} aria-hidden className="shrink-0" />
        {t("cardDeleted")}
      </p>
    );
  }
  const shownName = playlist?.name ?? name;
  const current = items?.findIndex((item) => item.id === playback.currentId) ?? -1;
  const isCurrent = playback.currentId !== null;
  return (
    <section aria-label={t("card", { name: shownName })} className={`${FRAME} border border-line bg-wave-bg`}>
      <PlayButton
        name={shownName}
        playback={{ isPlaying: playback.isPlaying, isBuffering: false }}
        isDisabled={!items?.some(isPlayable)}
        onClick={playback.toggle}
        className={classNames("size-10", isCurrent ? "bg-accent text-accent-ink hover:brightness-105" : "bg-raised text-text hover:bg-hover")}
      />
      <div className="min-w-0 flex-1">
        <Link to={playlistPath(id)} className="block truncate font-medium hover:underline">
          <bdi>{shownName}</bdi>
        </Link>
        <p className="tabular min-h-5 truncate text-sm text-text-2">
          {current >= 0 && items
            ? t("nowPlaying", { position: current + 1, count: items.length, name: items[current]!.file.name })
            : playlist && describePlaylist(playlist)}
        </p>
      </div>
      <ListMusic size={20} aria-hidden className="shrink-0 text-text-3" />
    </section>
  );
}
