import { lazy, Suspense, type ReactNode } from "react";
import { t } from "../../lib/messages/upload-panel.ts";
import { useHasFileUploads } from "../../queries/uploads/use-file-uploads.ts";
import { usePendingStatusSession } from "../../queries/statuses/use-choices.ts";
import { Toasts } from "../../ui/Toasts.tsx";
import { useFailedCommentToasts } from "./use-refused-comments.ts";
import { PendingStatusChangeCards, useStatusChangeAnnouncements, useFloatingStatusChanges } from "../status/StatusChoices.tsx";

const UploadPanel = lazy(async () => ({ default: (await import("../upload-panel/UploadPanel.tsx")).UploadPanel }));

/** Shows pending status changes, toasts and uploads at the lower edge of every view. */
export function NotificationArea(): ReactNode {
  const hasUploads = useHasFileUploads();
  usePendingStatusSession();
  useStatusChangeAnnouncements();
  useFailedCommentToasts();
  const pendingChanges = useFloatingStatusChanges();
  return (
    <>
      <div className="relative">
        <Toasts label={t("toasts")} closeLabel={t("close")}>
          {pendingChanges.length > 0 && <PendingStatusChangeCards pendingChanges={pendingChanges} />}
        </Toasts>
      </div>
      <Suspense fallback={null}>{hasUploads && <UploadPanel />}</Suspense>
    </>
  );
}
