/** Formats the status of an upload. */
import { formatSize } from "../../lib/file-size.ts";
import { t } from "../../lib/messages/uploads.ts";
import { uploadPercent, type Upload } from "../../queries/uploads/upload.ts";

export function formatUploadStatus(upload: Upload): string {
  const size = formatSize(upload.bytes);
  const percent = uploadPercent(upload);
  switch (upload.state) {
    case "queued":
      return t("withSize", { state: t("queued"), size });
    case "uploading":
      return t("uploading", { percent, size });
    case "waiting":
      return t("withSize", { state: upload.fault ?? t("waitingForConnection"), size });
    case "paused":
      return t("withSize", { state: t("paused", { percent }), size });
    case "lost":
      return t("lost");
    case "failed":
      return upload.fault === null ? t("failedWithoutReason") : t("failed", { fault: upload.fault });
    case "done":
      return t("withSize", { state: t("done"), size });
  }
}
