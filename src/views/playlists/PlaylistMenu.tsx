import { Copy, Ellipsis, Link as LinkIcon, ListMusic, MessageSquare, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Playlist } from "../../../contract/playlist-records.ts";
import { EditPlaylistDialog } from "../../components/playlists/PlaylistForm.tsx";
import { playlistPath } from "../../components/playlists/playlist-queue.ts";
import { copyToClipboard } from "../../lib/browser.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useCan } from "../../queries/permissions.ts";
import { useDeletePlaylist, useDuplicatePlaylist, usePlaylistPermissions, useRestorePlaylist } from "../../queries/playlists/use-playlists.ts";
import { useDraftPlaylist } from "../../sync/drafts/use-message-draft.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { useToasts } from "../../ui/toast.ts";

/** The actions on a playlist, on its page and in lists. */
export function PlaylistMenu({ playlist, onDeleted }: { playlist: Playlist; onDeleted?: () => void }) {
  const { id, name } = playlist;
  const navigate = useNavigate();
  const toasts = useToasts();
  const [, attach] = useDraftPlaylist(playlist.project_id);
  const { canEdit, canDelete } = usePlaylistPermissions(playlist);
  const canCreate = useCan("playlist.create");
  const canShare = useCan("chat.write");
  const [isEditing, setIsEditing] = useState(false);
  const duplicate = useDuplicatePlaylist();
  const remove = useDeletePlaylist();
  const restore = useRestorePlaylist();

  const showError = (text: "notDuplicated" | "notDeleted" | "notRestored") => (error: unknown) =>
    toasts.showError(t(text, { name, reason: formatErrorReason(error) }));
  async function copy() {
    const created = await duplicate.mutateAsync({ id, name: t("copyName", { name }).slice(0, 200) });
    toasts.show({ text: t("duplicated", { name: created.name }), action: { label: t("open"), run: () => void navigate(playlistPath(created.id)) } });
  }
  async function deletePlaylist() {
    await remove.mutateAsync(id);
    onDeleted?.();
    toasts.offerUndo(t("deleted", { name }), t("undo"), () => {
      restore.mutateAsync(id).then(() => void toasts.show({ text: t("restored", { name }) }), showError("notRestored"));
    });
  }
  async function copyLink() {
    if (await copyToClipboard(new URL(playlistPath(id), location.origin).href)) toasts.show({ text: t("linkCopied") });
    else toasts.showError(t("notCopied"));
  }
  return (
    <>
      <Menu label={t("more", { name })} align="end" trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={`${iconButtonClasses} max-tablet:size-10`}>
        {canEdit && (
          <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setIsEditing(true)}>
            {t("edit")}
          </MenuItem>
        )}
        {canShare && (
          <MenuItem
            icon={<MessageSquare size={16} aria-hidden />}
            onSelect={() => {
              attach({ id, name });
              void navigate(`/projects/${playlist.project_id}/chat`);
            }}
          >
            {t("share")}
          </MenuItem>
        )}
        {canCreate && (
          <MenuItem icon={<Copy size={16} aria-hidden />} onSelect={() => void copy().catch(showError("notDuplicated"))}>
            {t("duplicate")}
          </MenuItem>
        )}
        <MenuItem icon={<LinkIcon size={16} aria-hidden />} onSelect={() => void copyLink()}>
          {t("copyLink")}
        </MenuItem>
        {canDelete && (
          <MenuItem icon={<Trash2 size={16} aria-hidden />} danger onSelect={() => void deletePlaylist().catch(showError("notDeleted"))}>
            {t("delete")}
          </MenuItem>
        )}
      </Menu>
      {isEditing && <EditPlaylistDialog playlist={playlist} onClose={() => setIsEditing(false)} />}
    </>
  );
}

/** The picture of a playlist. */
export const PlaylistIcon = () => (
  <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-hover text-text-2">
    <ListMusic size={20} aria-hidden />
  </span>
);
