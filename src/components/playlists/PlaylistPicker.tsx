import { ListMusic } from "lucide-react";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { t } from "../../lib/texts/playlists.ts";
import { usePlaylists } from "../../queries/playlists/use-playlists.ts";
import { ListState } from "../ListSection.tsx";
import { describePlaylist } from "./playlist-facts.ts";

interface Props {
  projectId: number;
  /** Leaves out playlists that cannot be chosen. */
  isOffered?: (playlist: Playlist) => boolean;
  onPick(playlist: Playlist): void;
}

/** Lists the playlists of a project, of which one can be chosen. */
export function PlaylistPicker({ projectId, isOffered = () => true, onPick }: Props) {
  const playlists = usePlaylists(projectId);
  return (
    <>
      <ListState query={playlists} rows={3} />
      {playlists.data?.length === 0 && <p className="text-text-2">{t("noneInProject")}</p>}
      <ul className="-mx-2 max-h-80 overflow-y-auto">
        {playlists.data?.filter(isOffered).map((playlist) => (
          <li key={playlist.id}>
            <button
              type="button"
              onClick={() => onPick(playlist)}
              className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <ListMusic size={18} aria-hidden className="shrink-0 text-text-2" />
              <span className="min-w-0">
                <span className="block truncate font-medium">
                  <bdi>{playlist.name}</bdi>
                </span>
                <span className="tabular block truncate text-sm text-text-2">{describePlaylist(playlist)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
