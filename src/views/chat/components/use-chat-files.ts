import { useState } from "react";
import { t } from "../../../lib/messages/uploads.ts";
import { useFileDrop } from "../../../parts/uploads/use-file-drop.ts";
import { useUploadsOff } from "../../../queries/uploads/use-uploads-off.ts";
import { useTray } from "../../../queries/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";

/** The files that stand ready for the next message, and what is dropped onto the chat. */
export function useChatFiles(accountId: number, projectId: number) {
  const tray = useTray(accountId, projectId);
  const off = useUploadsOff();
  const [refused, setRefused] = useState<string | null>(null);
  const add = (files: readonly File[], folders = 0) => {
    setRefused(off ?? (folders > 0 ? t("folderRefused") : null));
    if (files.length === 0 || off !== null) return;
    tray.add(files);
    announce(t("addedSpoken", { count: files.length }));
  };
  const dragging = useFileDrop(({ files, folders }) => add(files, folders));
  return {
    uploads: tray.uploads,
    /** Why no files can be brought; null where they can. */
    off,
    /** Why what was brought last was not taken. */
    refused,
    forgive: () => setRefused(null),
    add,
    dragging,
  };
}
