/** Adds files to a playlist of their project, or to a new one. */
import { ListPlus, Plus } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { playlistFacts } from "../../../contract/policy.ts";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { can, useCan, useCurrentUser } from "../../queries/permissions.ts";
import { useAddPlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { useToasts } from "../../ui/toast.ts";
import { NewPlaylistDialog } from "./PlaylistForm.tsx";
import { PlaylistPicker } from "./PlaylistPicker.tsx";
import { playlistPath } from "./playlist-queue.ts";

interface Props {
  projectId: number;
  files: readonly { id: number; name: string }[];
  onClose(): void;
}

export function AddToPlaylistDialog({ projectId, files, onClose }: Props) {
  const navigate = useNavigate();
  const toasts = useToasts();
  const user = useCurrentUser();
  const add = useAddPlaylistItems();
  const [isCreating, setIsCreating] = useState(false);
  const name = files[0]?.name ?? "";
  const fileIds = files.map(({ id }) => id);

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
      <div className="mt-3">
        <PlaylistPicker
          projectId={projectId}
          isOffered={(playlist) => can(user, "playlist.edit", playlistFacts(playlist, user.accountId))}
          onPick={(playlist) => void addTo(playlist)}
        />
      </div>
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
