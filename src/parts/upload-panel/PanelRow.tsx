import { Check, CircleAlert, SquareArrowOutUpRight } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { classes } from "../../lib/classes.ts";
import { t as tUpload } from "../../lib/messages/uploads.ts";
import { t } from "../../lib/messages/upload-panel.ts";
import { uploadPercent, type Upload } from "../../queries/uploads/upload.ts";
import type { UploadActions } from "../../queries/uploads/use-uploads.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { UploadControls } from "../uploads/UploadControls.tsx";
import { formatUploadStatus } from "../uploads/words.ts";
import { Ring } from "./Ring.tsx";
import { formatLocation } from "./summary.ts";

/** One upload in the panel. */
export function PanelRow({ upload, actions }: { upload: Upload; actions: UploadActions }) {
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
          <Ring percent={uploadPercent(upload)} inactive={state !== "uploading"} label={tUpload("progressOf", { name })} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <bdi className="block truncate text-sm text-text" title={name}>
          {name}
        </bdi>
        <p className={classes("text-xs tabular-nums", needsAttention ? "wrap-anywhere text-danger" : "truncate text-text-2")}>
          {statusText}
          {locationText && <span className="text-text-2"> · {locationText}</span>}
        </p>
      </div>
      {state === "done" && fileId !== null && (
        <Link to={`/files/${fileId}`} aria-label={t("open", { name })} title={t("open", { name })} className={iconButtonClasses}>
          <SquareArrowOutUpRight size={16} aria-hidden />
        </Link>
      )}
      <UploadControls upload={upload} actions={actions} removable={state !== "done"} onFileMismatch={setIsWrongFile} />
    </div>
  );
}
