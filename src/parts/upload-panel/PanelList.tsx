import { useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { t } from "../../lib/messages/upload-panel.ts";
import type { FileUploads } from "../../queries/uploads/use-file-uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { LostFiles } from "./LostFiles.tsx";
import { PanelRow } from "./PanelRow.tsx";
import { inOrder, type Summary } from "./summary.ts";

/** Each upload by itself, those that need somebody first, and what may be done with all. */
export function PanelList({ files, summary }: { files: FileUploads; summary: Summary }) {
  const { uploads } = files;
  const [asking, setAsking] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const lost = uploads.filter(({ state }) => state === "lost");
  const retryable = uploads.some(({ state, retryable: may }) => state === "failed" && may);
  const open = summary.all - summary.done;
  return (
    <>
      {(summary.unkept > 0 || lost.length > 0) && (
        <div className="space-y-2 p-3 pb-0">
          {lost.length > 0 && <LostFiles lost={lost} giveFile={files.giveFile} />}
          {summary.unkept > 0 && (
            <Notice tone="info">
              <span className="text-sm">{t("unkept", { count: summary.unkept })}</span>
            </Notice>
          )}
        </div>
      )}
      {/* The virtual list turns pointer events off during every scroll, which loses clicks. They stay on here. */}
      <div
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
        tabIndex={0}
        role="list"
        aria-label={t("panel")}
        className="max-h-[min(50dvh,360px)] overflow-y-auto py-1 [&>div]:pointer-events-auto!"
      >
        <Virtualizer scrollRef={scroller} itemSize={48}>
          {inOrder(uploads).map((upload) => (
            <div key={upload.id} role="listitem">
              <PanelRow upload={upload} actions={files} />
            </div>
          ))}
        </Virtualizer>
      </div>
      {open > 0 && (
        <div className="flex justify-end gap-2 border-t border-line p-2">
          <Button size="sm" look="ghost" onClick={() => setAsking(true)}>
            {t("cancelAll")}
          </Button>
          {summary.moving > 0 ? (
            <Button size="sm" onClick={files.pauseAll}>
              {t("pauseAll")}
            </Button>
          ) : (
            (summary.paused > 0 || retryable) && (
              <Button size="sm" onClick={files.resumeAll}>
                {t(summary.paused > 0 ? "resumeAll" : "retryAll")}
              </Button>
            )
          )}
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={t("cancelTitle")}
          description={t("cancelLead", { count: open })}
          confirmLabel={t("cancelAll")}
          cancelLabel={t("cancelKeep")}
          onConfirm={() => {
            setAsking(false);
            files.cancelAll();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
