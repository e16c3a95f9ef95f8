import { Pause, Play, RotateCw } from "lucide-react";
import { formatSize } from "../../lib/format.ts";
import { t } from "../../lib/texts/uploads.ts";
import { isActive, type Upload, uploadPercent } from "../../sync/uploads/upload.ts";
import type { UploadActions } from "../../sync/uploads/use-uploads.ts";
import { CloseButton, IconButton } from "../../ui/IconButton.tsx";
import { FileButton } from "./FilePicker.tsx";

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
      {isActive(upload) && <IconButton label={t("pause", { name })} icon={Pause} iconSize={16} onClick={() => actions.pause(id)} />}
      {state === "paused" && <IconButton label={t("resume", { name })} icon={Play} iconSize={16} onClick={() => actions.resume(id)} />}
      {state === "failed" && upload.isRetryable && <IconButton label={t("retry", { name })} icon={RotateCw} iconSize={16} onClick={() => actions.resume(id)} />}
      {state === "lost" && (
        <FileButton label={t("choose", { name })} icon={RotateCw} iconSize={16} onFiles={([file]) => file && onFileMismatch(!actions.provideFile(id, file))} />
      )}
      {isRemovable && <CloseButton label={t("cancel", { name })} onClick={() => actions.cancel(id)} />}
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
      return upload.error === null ? t("withSize", { state: t("waitingForConnection"), size }) : t("waitingToRetry", { reason: upload.error });
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
