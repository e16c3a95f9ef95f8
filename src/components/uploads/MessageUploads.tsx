import { Check, CircleAlert, File, FileAudio, FileImage, FileVideo } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useClient } from "../../client/client.ts";
import { formatUploadStatus, UploadControls } from "./UploadControls.tsx";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/uploads.ts";
import type { OutboxEntry } from "../../sync/outbox/outbox-types.ts";
import { MAX_ATTACHMENTS, type Upload, uploadPercent, type UploadState } from "../../sync/uploads/upload.ts";
import { useMessageUploads } from "../../sync/uploads/use-uploads.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { useObjectUrl } from "../../ui/use-object-url.ts";

/** Image formats that every browser can display, and the size above which a preview would take too much memory. */
const PREVIEWABLE = /^image\/(png|jpeg|gif|webp|avif)$/;
const MAX_PREVIEW_BYTES = 30_000_000;

/** Shows the uploads of a message or comment that has not reached the service, and their number while it waits for them. */
export function MessageUploads({ entry: { clientId, state: entryState, comment }, onDiscard }: { entry: OutboxEntry; onDiscard(): void }) {
  const uploads = useMessageUploads(clientId);
  const openCount = uploads.filter(({ state }) => state !== "done").length;
  if (uploads.length === 0) return null;
  return (
    <>
      <ul className="mt-1 mb-1 grid max-w-105 gap-1.5">
        {uploads.map((upload) => (
          <UploadCard key={upload.id} upload={upload} isRemovable={false} />
        ))}
      </ul>
      {entryState === "waiting" && openCount > 0 && (
        <div className="flex items-center gap-2 text-xs text-text-3">
          <span>{t("waitingFor", { count: openCount })}</span>
          <Button size="sm" variant="ghost" onClick={onDiscard}>
            {t(comment ? "discardComment" : "discardMessage")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Shows the files that will be sent with the next message. */
export function UploadTray({ uploads }: { uploads: readonly Upload[] }) {
  useUploadAnnouncements(uploads);
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t("attachedFiles")} className="grid max-h-56 grid-cols-[repeat(auto-fill,minmax(min(100%,260px),1fr))] gap-1.5 overflow-y-auto rounded-md">
      {uploads.map((upload) => (
        <UploadCard key={upload.id} upload={upload} isRemovable />
      ))}
    </ul>
  );
}

/**
 * Returns whether a message can be sent with these uploads. Unfinished uploads are allowed, because the message waits for them. Failed or lost uploads,
 * or too many, prevent sending, and the hint explains why.
 */
export function checkUploads(uploads: readonly Upload[]): { canSend: boolean; hint: string | null } {
  if (uploads.length > MAX_ATTACHMENTS) return { canSend: false, hint: t("tooMany", { most: MAX_ATTACHMENTS }) };
  const failedCount = uploads.filter(({ state }) => state === "failed" || state === "lost").length;
  if (failedCount > 0) return { canSend: false, hint: t("failedHint", { count: failedCount }) };
  return { canSend: true, hint: null };
}

/** Announces finished and failed uploads. */
function useUploadAnnouncements(uploads: readonly Upload[]): void {
  const previousStates = useRef(new Map<string, UploadState>());
  useEffect(() => {
    for (const { id, name, state } of uploads) {
      const previous = previousStates.current.get(id);
      if (previous === undefined || previous === state) continue;
      if (state === "done") announce(t("doneAnnouncement", { name }));
      else if (state === "failed" || state === "lost") announce(t("failedAnnouncement", { name }));
    }
    previousStates.current = new Map(uploads.map(({ id, state }) => [id, state]));
  }, [uploads]);
}

/** Shows one upload with its progress and actions. `isRemovable`: it can be removed on its own. */
function UploadCard({ upload, isRemovable }: { upload: Upload; isRemovable: boolean }) {
  const actions = useClient().uploads;
  const { id, name, state } = upload;
  const [isWrongFile, setIsWrongFile] = useState(false);
  const hasProblem = state === "failed" || state === "lost";
  // The service's reason is longer than a card of the tray is wide.
  const hasReason = upload.error !== null && (hasProblem || state === "waiting");
  const statusText = isWrongFile && state === "lost" ? t("wrongFile", { name }) : formatUploadStatus(upload);
  return (
    <li
      className={classNames(
        "relative flex min-w-0 items-center gap-2.5 overflow-hidden rounded-md border bg-raised p-1.5",
        hasProblem ? "border-danger" : "border-line",
        hasReason && "col-span-full",
      )}
    >
      <FilePreview file={actions.getFile(id)} type={upload.type} />
      <div className="min-w-0 flex-1">
        <bdi className="block truncate text-sm font-medium text-text" title={name}>
          {name}
        </bdi>
        <span className={classNames("flex items-start gap-1 text-xs tabular-nums", hasProblem ? "text-danger" : "text-text-2")}>
          {hasProblem && <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />}
          {state === "done" && <Check size={14} aria-hidden className="mt-px shrink-0 text-ok" />}
          <span className={hasProblem || hasReason ? "wrap-anywhere" : "truncate"}>{statusText}</span>
        </span>
      </div>
      <UploadControls upload={upload} actions={actions} isRemovable={isRemovable} onFileMismatch={setIsWrongFile} />
      {state !== "done" && !hasProblem && <UploadProgressBar name={name} percent={uploadPercent(upload)} isInactive={state !== "uploading"} />}
    </li>
  );
}

function UploadProgressBar({ name, percent, isInactive }: { name: string; percent: number; isInactive: boolean }) {
  return (
    <span
      role="progressbar"
      aria-label={t("progressOf", { name })}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="absolute inset-x-0 bottom-0 h-0.5 bg-line"
    >
      {/* The SVG's width is an attribute, because the page's CSP forbids inline styles from markup. */}
      <svg aria-hidden className={classNames("block size-full", isInactive ? "text-text-3" : "text-accent")} preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect width={percent} height={1} fill="currentColor" />
      </svg>
    </span>
  );
}

function FileTypeIcon({ type }: { type: string }) {
  if (type.startsWith("audio/")) return <FileAudio size={20} aria-hidden />;
  if (type.startsWith("image/")) return <FileImage size={20} aria-hidden />;
  if (type.startsWith("video/")) return <FileVideo size={20} aria-hidden />;
  return <File size={20} aria-hidden />;
}

/** Shows a local file as a small preview if it is an image, otherwise an icon of its kind. */
function FilePreview({ file, type }: { file: Blob | null; type: string }) {
  const url = useObjectUrl(file && PREVIEWABLE.test(type) && file.size <= MAX_PREVIEW_BYTES ? file : null);
  const [isBroken, setIsBroken] = useState(false);
  return (
    <span className="flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-md bg-hover text-text-2">
      {url !== null && !isBroken ? <img src={url} alt="" className="size-full object-cover" onError={() => setIsBroken(true)} /> : <FileTypeIcon type={type} />}
    </span>
  );
}
