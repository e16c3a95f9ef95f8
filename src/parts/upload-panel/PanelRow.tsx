import { Check, CircleAlert, SquareArrowOutUpRight } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { classes } from "../../lib/classes.ts";
import { t as tUpload } from "../../lib/messages/uploads.ts";
import { t } from "../../lib/messages/upload-panel.ts";
import { percentOf, type Upload } from "../../queries/uploads/upload.ts";
import type { UploadActions } from "../../queries/uploads/use-uploads.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { UploadControls } from "../uploads/UploadControls.tsx";
import { wordsFor } from "../uploads/words.ts";
import { Ring } from "./Ring.tsx";
import { placeWords } from "./summary.ts";

/** One file of the panel. */
export function PanelRow({ upload, actions }: { upload: Upload; actions: UploadActions }) {
  const { name, state, fileId } = upload;
  const [otherFile, setOtherFile] = useState(false);
  const bad = state === "failed" || state === "lost";
  const words = otherFile && state === "lost" ? tUpload("otherFile", { name }) : wordsFor(upload);
  const place = placeWords(upload);
  return (
    <div className="flex min-h-12 items-center gap-2.5 py-1.5 pr-1.5 pl-3">
      <span className="flex size-5 shrink-0 items-center justify-center">
        {bad && <CircleAlert size={16} aria-hidden className="text-danger" />}
        {state === "done" && <Check size={16} aria-hidden className="text-ok" />}
        {!bad && state !== "done" && <Ring percent={percentOf(upload)} still={state !== "uploading"} label={tUpload("progressOf", { name })} />}
      </span>
      <div className="min-w-0 flex-1">
        <bdi className="block truncate text-sm text-text" title={name}>
          {name}
        </bdi>
        <p className={classes("text-xs tabular-nums", bad ? "wrap-anywhere text-danger" : "truncate text-text-2")}>
          {words}
          {place && <span className="text-text-2"> · {place}</span>}
        </p>
      </div>
      {state === "done" && fileId !== null && (
        <Link to={`/files/${fileId}`} aria-label={t("open", { name })} title={t("open", { name })} className={iconButtonClasses}>
          <SquareArrowOutUpRight size={16} aria-hidden />
        </Link>
      )}
      <UploadControls upload={upload} actions={actions} removable={state !== "done"} onOtherFile={setOtherFile} />
    </div>
  );
}
