import { Ban, Upload } from "lucide-react";
import { useState } from "react";
import { useFileDrop } from "../../../components/uploads/use-file-drop.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t as tReadOnly } from "../../../lib/texts/read-only.ts";
import { t } from "../../../lib/texts/uploads.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { useUploadDisabledReason, useUploadTray } from "../../../sync/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";

/** Manages the next message's uploads and files dropped onto the chat. */
export function useChatFiles(accountId: number, projectId: number) {
  const tray = useUploadTray(accountId, projectId);
  const uploadDisabledReason = useUploadDisabledReason();
  const disabledReason = useHasFeature("chat") ? uploadDisabledReason : tReadOnly("noSending");
  const [rejectionReason, setRejectionReason] = useState<string | null>(null);
  const add = (files: readonly File[], folders = 0) => {
    setRejectionReason(disabledReason ?? (folders > 0 ? t("foldersNotSupported") : null));
    if (files.length === 0 || disabledReason !== null) return;
    tray.add(files);
    announce(t("addedAnnouncement", { count: files.length }));
  };
  const isDragging = useFileDrop(({ files, folderCount: folders }) => add(files, folders));
  return {
    uploads: tray.uploads,
    /** Why files cannot be attached; null if they can. */
    disabledReason,
    /** Why the last added files were rejected. */
    rejectionReason,
    clearRejection: () => setRejectionReason(null),
    add,
    isDragging,
  };
}

/** Covers the chat while files are dragged over it. */
export function DropOverlay({ projectName, disabledReason }: { projectName: string; disabledReason: string | null }) {
  const Icon = disabledReason === null ? Upload : Ban;
  return (
    <div aria-hidden className="absolute inset-0 z-10 flex bg-surface/85 p-4">
      {/* Catches drops anywhere on the page. */}
      <div className="fixed inset-0" />
      <div
        className={classNames(
          "flex flex-1 flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed px-4 text-center",
          disabledReason === null ? "border-accent" : "border-line-strong",
        )}
      >
        <Icon size={28} className={disabledReason === null ? "text-accent-text" : "text-text-2"} />
        <span className="mt-2 text-lg font-semibold">{t(disabledReason === null ? "dropTitle" : "dropDisabled")}</span>
        <span className="text-text-2">{disabledReason ?? t("dropHelp", { project: projectName })}</span>
      </div>
    </div>
  );
}
