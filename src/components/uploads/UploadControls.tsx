import { Pause, Play, RotateCw, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { formatSize } from "../../lib/format.ts";
import { t } from "../../lib/texts/uploads.ts";
import { isActive, type Upload, uploadPercent } from "../../sync/uploads/upload.ts";
import type { UploadActions } from "../../sync/uploads/use-uploads.ts";
import { IconButton } from "../../ui/IconButton.tsx";

interface Props {
  upload: Upload;
  actions: UploadActions;
  /** Whether the upload can be removed on its own. */
  isRemovable: boolean;
  /** Called after each choice of a replacement file, with whether it is a different file. */
  onFileMismatch(isMismatch: boolean): void;
}

/** Shows the actions that an upload's state allows. */
export function UploadControls({ upload, actions, isRemovable, onFileMismatch }: Props) {
  const { id, name, state } = upload;
  return (
    <>
      {isActive(upload) && (
        <IconButton label={t("pause", { name })} onClick={() => actions.pause(id)}>
          <Pause size={16} aria-hidden />
        </IconButton>
      )}
      {state === "paused" && (
        <IconButton label={t("resume", { name })} onClick={() => actions.resume(id)}>
          <Play size={16} aria-hidden />
        </IconButton>
      )}
      {state === "failed" && upload.isRetryable && (
        <IconButton label={t("retry", { name })} onClick={() => actions.resume(id)}>
          <RotateCw size={16} aria-hidden />
        </IconButton>
      )}
      {state === "lost" && (
        <ReselectFileButton label={t("choose", { name })} onFile={(file) => onFileMismatch(!actions.provideFile(id, file))}>
          <RotateCw size={16} aria-hidden />
        </ReselectFileButton>
      )}
      {isRemovable && (
        <IconButton label={t("cancel", { name })} onClick={() => actions.cancel(id)}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </>
  );
}

function ReselectFileButton({ label, onFile, children }: { label: string; onFile(file: File): void; children: ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={label} onClick={() => input.current?.click()}>
        {children}
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}

export function formatUploadStatus(upload: Upload): string {
  const size = formatSize(upload.bytes);
  const percent = uploadPercent(upload);
  switch (upload.state) {
    case "queued":
      return t("withSize", { state: t("queued"), size });
    case "uploading":
      return t("uploading", { percent, size });
    case "waiting":
      return t("withSize", { state: upload.error ?? t("waitingForConnection"), size });
    case "paused":
      return t("withSize", { state: t("paused", { percent }), size });
    case "lost":
      return t("lost");
    case "failed":
      return upload.error === null ? t("failedWithoutReason") : t("failed", { reason: upload.error });
    case "done":
      return t("withSize", { state: t("done"), size });
  }
}
