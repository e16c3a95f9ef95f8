import { Check, CircleAlert, SquareArrowOutUpRight } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { Virtualizer } from "virtua";
import { readFileList } from "../../../components/uploads/file-tree.ts";
import { formatUploadStatus, UploadControls } from "../../../components/uploads/UploadControls.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/upload-panel.ts";
import { t as tUpload } from "../../../lib/texts/uploads.ts";
import { type Upload, uploadPercent } from "../../../sync/uploads/upload.ts";
import type { FilesViewUploads, UploadActions } from "../../../sync/uploads/use-uploads.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { formatLocation, matchLostFiles, sortUploads, type UploadSummary } from "./upload-progress.ts";

/** Radius of the progress ring in units of its view box. */
const RADIUS = 7;

/** Lists the uploads, those that need attention first, with the actions for all of them. */
export function UploadList({ filesViewUploads, summary }: { filesViewUploads: FilesViewUploads; summary: UploadSummary }) {
  const { uploads } = filesViewUploads;
  const [isConfirming, setIsConfirming] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const lostUploads = uploads.filter(({ state }) => state === "lost");
  const hasRetryable = uploads.some(({ state, isRetryable }) => state === "failed" && isRetryable);
  const openCount = summary.totalCount - summary.doneCount;
  return (
    <>
      {(summary.unpersistedCount > 0 || lostUploads.length > 0) && (
        <div className="space-y-2 p-3 pb-0">
          {lostUploads.length > 0 && <LostFiles lostUploads={lostUploads} provideFile={filesViewUploads.provideFile} />}
          {summary.unpersistedCount > 0 && (
            <Notice tone="info">
              <span className="text-sm">{t("notStored", { count: summary.unpersistedCount })}</span>
            </Notice>
          )}
        </div>
      )}
      {/* The virtual list disables pointer events during each scroll, which loses clicks, so they stay enabled here. */}
      <div
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
        tabIndex={0}
        role="list"
        aria-label={t("panel")}
        className="max-h-[min(50dvh,360px)] overflow-y-auto py-1 [&>div]:pointer-events-auto!"
      >
        <Virtualizer scrollRef={scroller} itemSize={48}>
          {sortUploads(uploads).map((upload) => (
            <div key={upload.id} role="listitem">
              <UploadRow upload={upload} actions={filesViewUploads} />
            </div>
          ))}
        </Virtualizer>
      </div>
      {openCount > 0 && (
        <div className="flex justify-end gap-2 border-t border-line p-2">
          <Button size="sm" variant="ghost" onClick={() => setIsConfirming(true)}>
            {t("cancelAll")}
          </Button>
          {summary.activeCount > 0 ? (
            <Button size="sm" onClick={filesViewUploads.pauseAll}>
              {t("pauseAll")}
            </Button>
          ) : (
            (summary.pausedCount > 0 || hasRetryable) && (
              <Button size="sm" onClick={filesViewUploads.resumeAll}>
                {t(summary.pausedCount > 0 ? "resumeAll" : "retryAll")}
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
            filesViewUploads.cancelAll();
          }}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}

function UploadRow({ upload, actions }: { upload: Upload; actions: UploadActions }) {
  const { name, state, fileId } = upload;
  const [isWrongFile, setIsWrongFile] = useState(false);
  const needsAttention = state === "failed" || state === "lost";
  const statusText = isWrongFile && state === "lost" ? tUpload("wrongFile", { name }) : formatUploadStatus(upload);
  const locationText = formatLocation(upload);
  return (
    <div className="flex min-h-12 items-center gap-2.5 py-1.5 pr-1.5 pl-3">
      <span className="flex size-5 shrink-0 items-center justify-center">
        {needsAttention && <CircleAlert size={16} aria-hidden className="text-danger" />}
        {state === "done" && <Check size={16} aria-hidden className="text-ok" />}
        {!needsAttention && state !== "done" && (
          <ProgressRing percent={uploadPercent(upload)} isInactive={state !== "uploading"} label={tUpload("progressOf", { name })} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <bdi className="block truncate text-sm text-text" title={name}>
          {name}
        </bdi>
        <p
          className={classNames(
            "text-xs tabular-nums",
            needsAttention ? "wrap-anywhere text-danger" : upload.error === null ? "truncate text-text-2" : "wrap-anywhere text-text-2",
          )}
        >
          {statusText}
          {locationText && <span className="text-text-2"> · {locationText}</span>}
        </p>
      </div>
      {state === "done" && fileId !== null && (
        <Link to={`/files/${fileId}`} aria-label={t("open", { name })} data-tooltip={t("open", { name })} className={iconButtonClasses}>
          <SquareArrowOutUpRight size={16} aria-hidden />
        </Link>
      )}
      <UploadControls upload={upload} actions={actions} isRemovable={state !== "done"} onFileMismatch={setIsWrongFile} />
    </div>
  );
}

interface LostFilesProps {
  lostUploads: readonly Upload[];
  provideFile(id: string, file: File): boolean;
}

/** Asks once for all files that the browser did not store, either as files or as their folder. */
function LostFiles({ lostUploads, provideFile }: LostFilesProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [missingCount, setMissingCount] = useState<"none" | number | null>(null);
  const inFolders = lostUploads.some(({ target }) => target?.kind === "folder" && target.path !== "");

  function matchFiles(input: HTMLInputElement) {
    const matches = matchLostFiles(lostUploads, readFileList([...(input.files ?? [])]).files);
    input.value = "";
    for (const { id, file } of matches) provideFile(id, file);
    setMissingCount(matches.length === 0 ? "none" : lostUploads.length - matches.length);
  }
  return (
    <Notice title={t("lost", { count: lostUploads.length })}>
      {missingCount === "none" && <p role="alert">{t("noneMatches")}</p>}
      {typeof missingCount === "number" && missingCount > 0 && <p role="status">{t("someMissing", { count: missingCount })}</p>}
      <span className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => files.current?.click()}>
          {t("chooseFiles")}
        </Button>
        {inFolders && (
          <Button size="sm" onClick={() => folder.current?.click()}>
            {t("chooseFolder")}
          </Button>
        )}
      </span>
      <input ref={files} type="file" multiple hidden onChange={(event) => matchFiles(event.target)} />
      <input ref={folder} type="file" multiple hidden {...{ webkitdirectory: "" }} onChange={(event) => matchFiles(event.target)} />
    </Notice>
  );
}

/** Shows progress as a ring of icon size. */
export function ProgressRing({ percent, isInactive, label }: { percent: number; isInactive: boolean; label: string }) {
  return (
    <span role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100} className="flex">
      <svg aria-hidden viewBox="0 0 18 18" width={18} height={18} className={classNames("-rotate-90", isInactive ? "text-text-3" : "text-accent")}>
        <circle cx={9} cy={9} r={RADIUS} fill="none" stroke="var(--line-strong)" strokeWidth={2.5} />
        <circle cx={9} cy={9} r={RADIUS} fill="none" stroke="currentColor" strokeWidth={2.5} pathLength={100} strokeDasharray={`${percent} 100`} />
      </svg>
    </span>
  );
}
