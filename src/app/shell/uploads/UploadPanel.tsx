import { ChevronDown, ChevronUp, CircleAlert, CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { t } from "../../../lib/texts/upload-panel.ts";
import { isActive } from "../../../sync/uploads/upload.ts";
import { type FilesViewUploads, useFilesViewUploads } from "../../../sync/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { BottomSheet } from "../../../ui/Floating.tsx";
import { CloseButton, IconButton } from "../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import {
  commonFolder,
  formatProgress,
  formatHeadline,
  estimateSecondsLeft,
  summarizeUploads,
  type UploadSummary,
  type UploadFolder,
  useUploadSpeed,
} from "./upload-progress.ts";
import { ProgressRing, UploadList } from "./UploadList.tsx";

/** Shows all uploads of the files view as one line in the shell, which expands to a list; renders nothing if there are none. */
export function UploadPanel() {
  const filesViewUploads = useFilesViewUploads();
  return filesViewUploads.uploads.length > 0 ? <Panel filesViewUploads={filesViewUploads} /> : null;
}

function Panel({ filesViewUploads }: { filesViewUploads: FilesViewUploads }) {
  const { uploads } = filesViewUploads;
  const [isOpen, setIsOpen] = useState(false);
  const isPhone = useMediaQuery(PHONE);
  const summary = summarizeUploads(uploads);
  const speed = useUploadSpeed(
    uploads,
    uploads.some(({ state }) => state === "uploading"),
  );
  const activeUploads = uploads.filter(isActive);
  const folder = commonFolder(activeUploads.length > 0 ? activeUploads : uploads);
  useCompletionAnnouncement(summary);
  return (
    <section aria-label={t("panel")} className="relative flex min-h-12 shrink-0 items-center gap-3 border-t border-line bg-raised py-1.5 pr-2 pl-3 tablet:pl-4">
      <PanelStatusIcon summary={summary} />
      <div className="min-w-0 flex-1 tablet:flex tablet:items-baseline tablet:gap-3">
        <p className="truncate text-sm font-medium">{formatHeadline(summary, folder)}</p>
        <p className="truncate text-xs text-text-2 tabular-nums">{formatProgress(summary, speed, estimateSecondsLeft(summary.bytesLeft, speed))}</p>
      </div>
      <FinishedActions summary={summary} folder={folder} onDismiss={filesViewUploads.dismiss} />
      <IconButton label={t(isOpen ? "hide" : "show")} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? <ChevronDown size={18} aria-hidden /> : <ChevronUp size={18} aria-hidden />}
      </IconButton>
      {isOpen && isPhone && (
        <BottomSheet label={t("panel")} onClose={() => setIsOpen(false)}>
          <div className="flex items-center justify-between pt-2 pr-2 pl-3">
            <h2 className="text-lg font-semibold">{t("panel")}</h2>
            <Button size="sm" variant="ghost" onClick={() => setIsOpen(false)}>
              {t("close")}
            </Button>
          </div>
          <UploadList filesViewUploads={filesViewUploads} summary={summary} />
        </BottomSheet>
      )}
      {isOpen && !isPhone && (
        <div className="absolute right-3 bottom-full z-10 mb-2 w-100 overflow-hidden rounded-lg bg-raised shadow-float">
          <UploadList filesViewUploads={filesViewUploads} summary={summary} />
        </div>
      )}
    </section>
  );
}

/** Shows the total progress, or the result once everything ended. */
function PanelStatusIcon({ summary }: { summary: UploadSummary }) {
  if (summary.activeCount + summary.pausedCount > 0)
    return <ProgressRing percent={summary.percent} isInactive={summary.activeCount === 0} label={t("progress")} />;
  if (summary.failedCount + summary.lostCount > 0) return <CircleAlert size={18} aria-hidden className="shrink-0 text-danger" />;
  return <CircleCheck size={18} aria-hidden className="shrink-0 text-ok" />;
}

/** The actions once no upload is running or paused. */
function FinishedActions({ summary, folder, onDismiss }: { summary: UploadSummary; folder: UploadFolder | null; onDismiss(): void }) {
  if (summary.activeCount + summary.pausedCount > 0) return null;
  return (
    <>
      {folder && summary.doneCount > 0 && (
        <Link to={`/projects/${folder.projectId}/files/${folder.folderId}`} className={`${buttonClasses("secondary", "sm")} max-w-40 tablet:max-w-60`}>
          <span className="truncate">{t("openFolder", { folder: folder.name })}</span>
        </Link>
      )}
      {summary.failedCount + summary.lostCount === 0 && <CloseButton label={t("dismiss")} onClick={onDismiss} />}
    </>
  );
}

/** Announces the result once after the last upload, because there may be hundreds of files. */
function useCompletionAnnouncement({ activeCount, doneCount, failedCount, lostCount }: UploadSummary): void {
  const previousActiveCount = useRef(activeCount);
  useEffect(() => {
    const ended = previousActiveCount.current > 0 && activeCount === 0;
    previousActiveCount.current = activeCount;
    if (!ended) return;
    const messages = [
      doneCount > 0 && t("finishedAnnouncement", { count: doneCount }),
      failedCount + lostCount > 0 && t("failedAnnouncement", { count: failedCount + lostCount }),
    ];
    const text = messages.filter(Boolean).join(" ");
    if (text !== "") announce(text);
  }, [activeCount, doneCount, failedCount, lostCount]);
}
