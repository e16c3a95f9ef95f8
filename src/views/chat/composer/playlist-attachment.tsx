/** The playlist that the next message shows. */
import { ListMusic } from "lucide-react";
import { PlaylistPicker } from "../../../components/playlists/PlaylistPicker.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/playlists.ts";
import { usePlaylist } from "../../../queries/playlists/use-playlists.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { type DraftPlaylist, useDraftPlaylist } from "../../../sync/drafts/use-message-draft.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { CloseButton } from "../../../ui/IconButton.tsx";

/** Manages the playlist of the project's draft. */
export function usePlaylistAttachment(projectId: number) {
  const [draftPlaylist, attach] = useDraftPlaylist(projectId);
  const isOffered = useHasFeature("playlists");
  const attached = isOffered ? draftPlaylist : null;
  const { data, isMissing } = usePlaylist(attached?.id ?? 0, attached !== null);
  return {
    /** The playlist with its present name. */
    attached: attached && { id: attached.id, name: data?.name ?? attached.name },
    /** True if it was deleted meanwhile. */
    isMissing: attached !== null && isMissing,
    /** True if the service has playlists. */
    isOffered,
    attach: (playlist: DraftPlaylist | null) => attach(playlist && { id: playlist.id, name: playlist.name }),
  };
}

export type PlaylistAttachment = ReturnType<typeof usePlaylistAttachment>;

/** Chooses one of the project's playlists. */
export function AttachPlaylistDialog({ projectId, onPick, onClose }: { projectId: number; onPick(playlist: DraftPlaylist): void; onClose(): void }) {
  return (
    <Dialog title={t("attachTitle")} onClose={onClose} lightDismiss>
      <PlaylistPicker projectId={projectId} onPick={onPick} />
    </Dialog>
  );
}

/** Shows the attached playlist above the text. */
export function AttachedPlaylistChip({ attachment: { attached, isMissing, attach } }: { attachment: PlaylistAttachment }) {
  const deleted = attached && isMissing ? t("attachedDeleted", { name: attached.name }) : "";
  return (
    <>
      <span role="status" className="sr-only">
        {deleted}
      </span>
      {attached && (
        <div className="px-2 pt-2 max-tablet:px-3 max-tablet:pt-3">
          <span
            className={classNames(
              "inline-flex h-9 max-w-full items-center gap-2 rounded-md border bg-surface pr-1 pl-2.5",
              isMissing ? "border-dashed border-line-strong text-text-2" : "border-line",
            )}
          >
            <ListMusic size={16} aria-hidden className="shrink-0 text-text-2" />
            <bdi className="truncate">{deleted || attached.name}</bdi>
            <CloseButton label={t("detach", { name: attached.name })} className="size-7!" onClick={() => attach(null)} />
          </span>
        </div>
      )}
    </>
  );
}
