import { useState } from "react";
import { t } from "../../../lib/messages/uploads.ts";
import { useFileDrop } from "../../../parts/uploads/use-file-drop.ts";
import { useUploadDisabledReason } from "../../../queries/uploads/use-uploads-off.ts";
import { useUploadTray } from "../../../queries/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";

/** Manages the next message's uploads and files dropped onto the chat. */
export function useChatFiles(accountId: number, projectId: number) {
  const tray = useUploadTray(accountId, projectId);
  const disabledReason = useUploadDisabledReason();
  const [rejectionReason, setRejectionReason] = useState<string | null>(null);
  const add = (files: readonly File[], folders = 0) => {
    setRejectionReason(disabledReason ?? (folders > 0 ? t("foldersNotSupported") : null));
    if (files.length === 0 || disabledReason !== null) return;
    tray.add(files);
    announce(t("addedAnnouncement", { count: files.length }));
  };
  const dragging = useFileDrop(({ files, folderCount: folders }) => add(files, folders));
  return {
    uploads: tray.uploads,
    /** Why files cannot be attached; null if they can. */
    disabledReason,
    /** Why the last added files were rejected. */
    rejectionReason,
    clearRejection: () => setRejectionReason(null),
    add,
    dragging,
  };
}
