import { useState } from "react";
import { t } from "../../../lib/messages/uploads.ts";
import { useFileDrop } from "../../../parts/uploads/use-file-drop.ts";
import { useUploadDisabledReason } from "../../../queries/uploads/use-uploads-off.ts";
import { useUploadTray } from "../../../queries/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";

/** The files that stand ready for the next message, and what is dropped onto the chat. */
export function useChatFiles(accountId: number, projectId: number) {
  const tray = useUploadTray(accountId, projectId);
  const disabledReason = useUploadDisabledReason();
  const [rejectionReason, setRejectionReason] = useState<string | null>(null);
  const add = (files: readonly File[], folders = 0) => {
    setRejectionReason(disabledReason ?? (folders > 0 ? t("folderRefused") : null));
    if (files.length === 0 || disabledReason !== null) return;
    tray.add(files);
    announce(t("addedSpoken", { count: files.length }));
  };
  const dragging = useFileDrop(({ files, folderCount: folders }) => add(files, folders));
  return {
    uploads: tray.uploads,
    /** Why no files can be brought; null where they can. */
    disabledReason,
    /** Why what was brought last was not taken. */
    rejectionReason,
    clearRejection: () => setRejectionReason(null),
    add,
    dragging,
  };
}
