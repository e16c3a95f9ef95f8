import { Ellipsis, ExternalLink, Pin, PinOff, X } from "lucide-react";
import { useRef } from "react";
import { Link, useNavigate } from "react-router";
import type { Playlist, PlaylistItem } from "../../../contract/playlist-records.ts";
import { isPlayable, type usePlaylistPlayback } from "../../components/playlists/playlist-queue.ts";
import { Cover } from "../../components/Cover.tsx";
import { PlayButton } from "../../components/PlayButton.tsx";
import { StatusBadge } from "../../components/status/StatusBadge.tsx";
import { classNames } from "../../lib/class-names.ts";
import { formatBpm, formatKey, formatPosition } from "../../lib/format.ts";
import { t as tFiles } from "../../lib/texts/attachments.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useChangePlaylistItems, usePinPlaylistItem } from "../../queries/playlists/use-playlist-items.ts";
import { announce } from "../../ui/announce.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { ReorderableRow, useReorder } from "../../ui/ReorderableRow.tsx";
import { useToasts } from "../../ui/toast.ts";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";
import { useRemoveTrack } from "./use-remove-track.ts";

interface TrackListProps {
  playlist: Playlist;
  items: readonly PlaylistItem[];
  canEdit: boolean;
  playback: ReturnType<typeof usePlaylistPlayback>;
}

/** Lists the tracks in order; dragging a row by its handle or pressing arrow keys on the handle moves it. */
export function TrackList({ playlist, items, canEdit, playback }: TrackListProps) {
  const list = useRef<HTMLOListElement>(null);
  const focusAfterRemoval = useFocusAfterRemoval(list);
  const toasts = useToasts();
  const change = useChangePlaylistItems(playlist.id);

  function move(id: number, to: number) {
    const item = items.find((one) => one.id === id);
    if (!item) return;
    const beforeId = items.filter((other) => other !== item)[to]?.id ?? null;
    change.mutate(
      { kind: "move", ids: [id], beforeId },
      { onError: (error) => toasts.showError(t("notMoved", { name: item.file.name, reason: formatErrorReason(error) })) },
    );
    announce(t("moved", { name: item.file.name, position: to + 1, count: items.length }));
  }
  const reorder = useReorder({ count: items.length, onMove: move });

  const removeTrack = useRemoveTrack(playlist.id, items, change);

  return (
    <ol ref={list} tabIndex={-1} aria-label={playlist.name} className="overflow-hidden rounded-lg border border-line outline-none dark:bg-bg/40">
      {items.map((item, index) => {
        const isCurrent = item.id === playback.currentId;
        return (
          <ReorderableRow
            key={item.id}
            reorder={reorder}
            id={item.id}
            index={index}
            handleLabel={canEdit ? t("move", { name: item.file.name, position: index + 1, count: items.length }) : null}
            aria-current={isCurrent || undefined}
            className={classNames(
              "h-14 items-center gap-2 border-b border-line pr-2 last:border-0 tablet:gap-3",
              canEdit ? "pl-3" : "pl-4 tablet:pl-5",
              isCurrent && "bg-accent-soft/40",
            )}
          >
            <span aria-hidden className="tabular w-6 shrink-0 text-right text-sm text-text-3 max-tablet:hidden">
              {index + 1}
            </span>
            <PlayButton
              name={item.file.name}
              playback={{ isPlaying: isCurrent && playback.isPlaying, isBuffering: false }}
              isDisabled={!isPlayable(item)}
              title={isPlayable(item) ? undefined : t("notPlayable")}
              onClick={() => playback.toggleItem(item.id)}
              className={classNames("size-9", isCurrent ? "bg-accent text-accent-ink hover:brightness-105" : "bg-hover text-text hover:bg-line")}
              iconSize={16}
            />
            <TrackFacts item={item} />
            {canEdit && (
              <TrackMenu
                playlistId={playlist.id}
                item={item}
                onRemove={() => {
                  removeTrack(item);
                  focusAfterRemoval();
                }}
              />
            )}
          </ReorderableRow>
        );
      })}
    </ol>
  );
}

function TrackFacts({ item: { file, pinned_version: pinned, newest_version: newest } }: { item: PlaylistItem }) {
  const { name, version, audio, status = null } = file;
  const facts = [audio && audio.bpm > 0 ? tFiles("bpm", { bpm: formatBpm(audio.bpm) }) : null, audio?.key ? formatKey(audio.key) : null]
    .filter(Boolean)
    .join(" · ");
  const path = `/files/${file.id}${pinned === null ? "" : `?v=${pinned}`}`;
  return (
    <>
      {audio?.cover_url !== undefined && <Cover url={audio.cover_url} className="size-10 max-tablet:hidden" />}
      <div className="flex min-w-0 flex-1 items-center gap-2">
        <Link to={path} className="min-w-0 truncate font-medium hover:underline">
          <bdi>{name}</bdi>
        </Link>
        {pinned !== null && (
          <span
            title={
              newest > pinned
                ? `${t("pinnedVersion", { version: pinned })}. ${t("newerVersion", { version: newest })}.`
                : t("pinnedVersion", { version: pinned })
            }
            className="inline-flex shrink-0 items-center gap-1 rounded-full bg-hover px-2 text-xs font-medium text-text-2"
          >
            <Pin size={12} aria-hidden />
            <span className="sr-only">{t("pinnedVersion", { version: pinned })}</span>
            <span aria-hidden>{t("version", { version: pinned })}</span>
          </span>
        )}
        {pinned === null && newest > 1 && <span className="tabular shrink-0 text-xs text-text-3">{t("version", { version: version ?? newest })}</span>}
      </div>
      {facts !== "" && <span className="tabular shrink-0 text-sm text-text-2 max-desktop:hidden">{facts}</span>}
      {status && (
        <span className="max-tablet:hidden">
          <StatusBadge status={status} />
        </span>
      )}
      <span className="tabular w-12 shrink-0 text-right text-sm text-text-2">{audio && audio.duration > 0 ? formatPosition(audio.duration) : "–:––"}</span>
    </>
  );
}

function TrackMenu({ playlistId, item, onRemove }: { playlistId: number; item: PlaylistItem; onRemove(): void }) {
  const navigate = useNavigate();
  const toasts = useToasts();
  const pin = usePinPlaylistItem(playlistId);
  const { name, version = item.newest_version } = item.file;
  const setVersion = (next: number | null) =>
    pin.mutate(
      { itemId: item.id, version: next },
      {
        onSuccess: () => announce(next === null ? t("unpinned", { name }) : t("pinned", { name, version: next })),
        onError: (error) => toasts.showError(t("notPinned", { name, reason: formatErrorReason(error) })),
      },
    );
  return (
    <Menu label={t("trackMenu", { name })} align="end" trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses}>
      <MenuItem icon={<ExternalLink size={16} aria-hidden />} onSelect={() => void navigate(`/files/${item.file.id}`)}>
        {t("openFile")}
      </MenuItem>
      {item.pinned_version === null ? (
        <MenuItem icon={<Pin size={16} aria-hidden />} onSelect={() => setVersion(version)}>
          {t("pinVersion", { version })}
        </MenuItem>
      ) : (
        <MenuItem icon={<PinOff size={16} aria-hidden />} onSelect={() => setVersion(null)}>
          {t("unpin")}
        </MenuItem>
      )}
      <MenuItem icon={<X size={16} aria-hidden />} danger onSelect={onRemove}>
        {t("remove")}
      </MenuItem>
    </Menu>
  );
}
