import { Check, CircleAlert } from "lucide-react";
import { useState } from "react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/uploads.ts";
import { uploadPercent, type Upload } from "../../queries/uploads/upload.ts";
import type { UploadActions } from "../../queries/uploads/use-uploads.ts";
import { Preview } from "./Preview.tsx";
import { UploadControls } from "./UploadControls.tsx";
import { formatUploadStatus } from "./words.ts";

interface Props {
  upload: Upload;
  actions: UploadActions;
  /** Whether the upload can be removed on its own. */
  removable: boolean;
}

/** Shows one upload with its progress and actions. */
export function UploadCard({ upload, actions, removable }: Props) {
  const { id, name, state } = upload;
  const [isWrongFile, setIsWrongFile] = useState(false);
  const needsAttention = state === "failed" || state === "lost";
  const statusText = isWrongFile && state === "lost" ? t("wrongFile", { name }) : formatUploadStatus(upload);
  return (
    <div
      className={classes(
        "relative flex w-full items-center gap-2.5 overflow-hidden rounded-md border bg-raised p-1.5",
        needsAttention ? "border-danger" : "border-line",
      )}
    >
      <Preview file={actions.getFile(id)} type={upload.type} />
      <div className="min-w-0 flex-1">
        <bdi className="block truncate text-sm font-medium text-text" title={name}>
          {name}
        </bdi>
        <span className={classes("flex items-start gap-1 text-xs tabular-nums", needsAttention ? "text-danger" : "text-text-2")}>
          {needsAttention && <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />}
          {state === "done" && <Check size={14} aria-hidden className="mt-px shrink-0 text-ok" />}
          <span className={needsAttention ? "wrap-anywhere" : "truncate"}>{statusText}</span>
        </span>
      </div>
      <UploadControls upload={upload} actions={actions} removable={removable} onFileMismatch={setIsWrongFile} />
      {state !== "done" && !needsAttention && <Bar name={name} percent={uploadPercent(upload)} inactive={state !== "uploading"} />}
    </div>
  );
}

function Bar({ name, percent, inactive }: { name: string; percent: number; inactive: boolean }) {
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
      <svg aria-hidden className={classes("block size-full", inactive ? "text-text-3" : "text-accent")} preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect width={percent} height={1} fill="currentColor" />
      </svg>
    </span>
  );
}
