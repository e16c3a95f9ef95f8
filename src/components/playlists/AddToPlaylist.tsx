/** Adds files to a playlist of their project, or to a new one. */
import { ListMusic, ListPlus, Plus } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { isAllowed, playlistFacts } from "../../../contract/policy.ts";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useCan, useCurrentUser } from "../../queries/permissions.ts";
import { useAddPlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { usePlaylists } from "../../queries/playlists/use-playlists.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { useToasts } from "../../ui/toast.ts";
import { ListState } from "../ListSection.tsx";
import { describePlaylist } from "./playlist-facts.ts";
import { NewPlaylistDialog } from "./PlaylistForm.tsx";
import { playlistPath } from "./playlist-queue.ts";

interface Props {
  projectId: number;
  files: readonly { id: number; name: string }[];
  onClose(): void;
}

export function AddToPlaylistDialog({ projectId, files, onClose }: Props) {
  const navigate = useNavigate();
  const toasts = useToasts();
  const playlists = usePlaylists(projectId);
  const { accountId, role } = useCurrentUser();
  const add = useAddPlaylistItems();
  const [isCreating, setIsCreating] = useState(false);
  const name = files[0]?.name ?? "";
  const fileIds = files.map(({ id }) => id);
  const editable = playlists.data?.filter((playlist) => isAllowed("playlist.edit", role, playlistFacts(playlist, accountId))) ?? [];

  const showAdded = (playlist: Pick<Playlist, "id" | "name">) =>
    toasts.show({
      text: t("addedTo", { count: files.length, name, playlist: playlist.name }),
      action: { label: t("open"), run: () => void navigate(playlistPath(playlist.id)) },
    });
  async function addTo(playlist: Playlist) {
    onClose();
    try {
      await add.mutateAsync({ id: playlist.id, items: fileIds.map((file_id) => ({ file_id })) });
      showAdded(playlist);
    } catch (error) {
      toasts.showError(t("notAdded", { name, reason: formatErrorReason(error) }));
    }
  }
  if (isCreating) return <NewPlaylistDialog projectId={projectId} fileIds={fileIds} onCreated={showAdded} onClose={onClose} />;
  return (
    <Dialog title={t("addToTitle", { count: files.length, name })} onClose={onClose} lightDismiss>
      <Button icon={Plus} onClick={() => setIsCreating(true)}>
        {t("create")}
      </Button>
      <ListState query={playlists} rows={3} />
      <ul className="-mx-2 mt-3 max-h-80 overflow-y-auto">
        {editable.map((playlist) => (
          <li key={playlist.id}>
            <button
              type="button"
              onClick={() => void addTo(playlist)}
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
    </Dialog>
  );
}

/** Opens the dialog for one audio file; on a phone, whose header has no space for it, the files view does. */
export function AddToPlaylistButton({ projectId, file }: { projectId: number; file: { id: number; name: string } }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useCan("playlist.create")) return null;
  return (
    <>
      <IconButton label={t("addTo")} icon={ListPlus} className="max-tablet:hidden" onClick={() => setIsOpen(true)} />
      {isOpen && <AddToPlaylistDialog projectId={projectId} files={[file]} onClose={() => setIsOpen(false)} />}
    </>
  );
}
