import { useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { t } from "../../lib/messages/upload-panel.ts";
import type { FileUploads } from "../../queries/uploads/use-file-uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { LostFiles } from "./LostFiles.tsx";
import { PanelRow } from "./PanelRow.tsx";
import { sortUploads, type Summary } from "./summary.ts";

/** Lists the uploads, those that need attention first, with the actions for all of them. */
export function PanelList({ files, summary }: { files: FileUploads; summary: Summary }) {
  const { uploads } = files;
  const [isConfirming, setIsConfirming] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const lostUploads = uploads.filter(({ state }) => state === "lost");
  const hasRetryable = uploads.some(({ state, retryable: isRetryable }) => state === "failed" && isRetryable);
  const openCount = summary.all - summary.done;
  return (
    <>
      {(summary.unpersisted > 0 || lostUploads.length > 0) && (
        <div className="space-y-2 p-3 pb-0">
          {lostUploads.length > 0 && <LostFiles lostUploads={lostUploads} giveFile={files.provideFile} />}
          {summary.unpersisted > 0 && (
            <Notice tone="info">
              <span className="text-sm">{t("notStored", { count: summary.unpersisted })}</span>
            </Notice>
          )}
        </div>
      )}
      {/* The virtual list disables pointer events during each scroll, which loses clicks, so they stay enabled here. */}
      <div
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
        tabIndex={0}
        role="list"
        aria-label={t("panel")}
        className="max-h-[min(50dvh,360px)] overflow-y-auto py-1 [&>div]:pointer-events-auto!"
      >
        <Virtualizer scrollRef={scroller} itemSize={48}>
          {sortUploads(uploads).map((upload) => (
            <div key={upload.id} role="listitem">
              <PanelRow upload={upload} actions={files} />
            </div>
          ))}
        </Virtualizer>
      </div>
      {openCount > 0 && (
        <div className="flex justify-end gap-2 border-t border-line p-2">
          <Button size="sm" variant="ghost" onClick={() => setIsConfirming(true)}>
            {t("cancelAll")}
          </Button>
          {summary.moving > 0 ? (
            <Button size="sm" onClick={files.pauseAll}>
              {t("pauseAll")}
            </Button>
          ) : (
            (summary.paused > 0 || hasRetryable) && (
              <Button size="sm" onClick={files.resumeAll}>
                {t(summary.paused > 0 ? "resumeAll" : "retryAll")}
              </Button>
            )
          )}
        </div>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t("cancelTitle")}
          description={t("cancelLead", { count: openCount })}
          confirmLabel={t("cancelAll")}
          cancelLabel={t("keepUploading")}
          onConfirm={() => {
            setIsConfirming(false);
            files.cancelAll();
          }}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}
