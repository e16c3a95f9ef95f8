import { Check, CircleAlert } from "lucide-react";
import { useState } from "react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/uploads.ts";
import { percentOf, type Upload } from "../../queries/uploads/upload.ts";
import type { UploadActions } from "../../queries/uploads/use-uploads.ts";
import { Preview } from "./Preview.tsx";
import { UploadControls } from "./UploadControls.tsx";
import { wordsFor } from "./words.ts";

interface Props {
  upload: Upload;
  actions: UploadActions;
  /** Whether it may be taken away by itself. */
  removable: boolean;
}

/** One file on its way: what it is, how far it is, and what may be done about it. */
export function UploadCard({ upload, actions, removable }: Props) {
  const { id, name, state } = upload;
  const [otherFile, setOtherFile] = useState(false);
  const bad = state === "failed" || state === "lost";
  const words = otherFile && state === "lost" ? t("otherFile", { name }) : wordsFor(upload);
  return (
    <div
      className={classes("relative flex w-full items-center gap-2.5 overflow-hidden rounded-md border bg-raised p-1.5", bad ? "border-danger" : "border-line")}
    >
      <Preview file={actions.fileOf(id)} type={upload.type} />
      <div className="min-w-0 flex-1">
        <bdi className="block truncate text-sm font-medium text-text" title={name}>
          {name}
        </bdi>
        <span className={classes("flex items-start gap-1 text-xs tabular-nums", bad ? "text-danger" : "text-text-2")}>
          {bad && <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />}
          {state === "done" && <Check size={14} aria-hidden className="mt-px shrink-0 text-ok" />}
          <span className={bad ? "wrap-anywhere" : "truncate"}>{words}</span>
        </span>
      </div>
      <UploadControls upload={upload} actions={actions} removable={removable} onOtherFile={setOtherFile} />
      {state !== "done" && !bad && <Bar name={name} percent={percentOf(upload)} still={state !== "uploading"} />}
    </div>
  );
}

function Bar({ name, percent, still }: { name: string; percent: number; still: boolean }) {
  return (
    <span
      role="progressbar"
      aria-label={t("progressOf", { name })}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="absolute inset-x-0 bottom-0 h-0.5 bg-line"
    >
      {/* An SVG's width is an attribute: the page's CSP allows no inline styles from markup. */}
      <svg aria-hidden className={classes("block size-full", still ? "text-text-3" : "text-accent")} preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect width={percent} height={1} fill="currentColor" />
      </svg>
    </span>
  );
}
