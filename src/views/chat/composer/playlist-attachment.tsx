/** Attaches one of the project's playlists to the next message. */
import { ListMusic } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../../client/client.ts";
import { ListState } from "../../../components/ListSection.tsx";
import { describePlaylist } from "../../../components/playlists/playlist-facts.ts";
import { useStore } from "../../../lib/store.ts";
import { t } from "../../../lib/texts/playlists.ts";
import { usePlaylists } from "../../../queries/playlists/use-playlists.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { CloseButton, IconButton } from "../../../ui/IconButton.tsx";

interface AttachedPlaylist {
  id: number;
  name: string;
}

/** Returns the playlist of the project's next message, which stays until it is sent or the page closes, and its setter. */
export function usePlaylistAttachment(projectId: number) {
  const store = useClient().viewMemory.attachedPlaylists;
  const attached = useStore(store).get(projectId) ?? null;
  const isOffered = useHasFeature("playlists");
  return {
    attached: isOffered ? attached : null,
    attach(playlist: AttachedPlaylist | null) {
      const others = [...store.get()].filter(([id]) => id !== projectId);
      store.set(new Map(playlist ? [...others, [projectId, playlist]] : others));
    },
  };
}

type Attachment = ReturnType<typeof usePlaylistAttachment>;

/** Opens the project's playlists. On a phone, where the composer has no space for it, a playlist is shared from its own page. */
export function AttachPlaylistButton({ projectId, attachment, onDone }: { projectId: number; attachment: Attachment; onDone(): void }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useHasFeature("playlists")) return null;
  const close = () => setIsOpen(false);
  return (
    <>
      <IconButton label={t("attach")} icon={ListMusic} iconSize={19} className="max-tablet:hidden" onClick={() => setIsOpen(true)} />
      {isOpen && (
        <PlaylistDialog
          projectId={projectId}
          onClose={close}
          onPick={(playlist) => {
            close();
            attachment.attach(playlist);
            onDone();
          }}
        />
      )}
    </>
  );
}

function PlaylistDialog({ projectId, onPick, onClose }: { projectId: number; onPick(playlist: AttachedPlaylist): void; onClose(): void }) {
  const playlists = usePlaylists(projectId);
  return (
    <Dialog title={t("attachTitle")} onClose={onClose} lightDismiss>
      <ListState query={playlists} rows={3} />
      {playlists.data?.length === 0 && <p className="text-text-2">{t("noneToAttach")}</p>}
      <ul className="-mx-2 max-h-80 overflow-y-auto">
        {playlists.data?.map((playlist) => (
          <li key={playlist.id}>
            <button
              type="button"
              onClick={() => onPick({ id: playlist.id, name: playlist.name })}
              className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-hover"
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
    </Dialog>
  );
}

/** Shows the attached playlist above the text. */
export function AttachedPlaylistChip({ attachment: { attached, attach } }: { attachment: Attachment }) {
  if (!attached) return null;
  return (
    <div className="px-2 pt-2 max-tablet:px-3 max-tablet:pt-3">
      <span className="inline-flex h-9 max-w-full items-center gap-2 rounded-md border border-line bg-surface pr-1 pl-2.5">
        <ListMusic size={16} aria-hidden className="shrink-0 text-text-2" />
        <bdi className="truncate">{attached.name}</bdi>
        <CloseButton label={t("detach", { name: attached.name })} className="size-7!" onClick={() => attach(null)} />
      </span>
    </div>
  );
}
