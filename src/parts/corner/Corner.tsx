import { lazy, Suspense, type ReactNode } from "react";
import { t } from "../../lib/messages/upload-panel.ts";
import { useSomeUploads } from "../../queries/uploads/use-file-uploads.ts";
import { Toasts } from "../../ui/Toasts.tsx";

const UploadPanel = lazy(async () => ({ default: (await import("../upload-panel/UploadPanel.tsx")).UploadPanel }));

/** What stands at the lower edge of every view: toasts, and the uploads where there are some. */
export function Corner(): ReactNode {
  const some = useSomeUploads();
  return (
    <>
      <div className="relative">
        <Toasts label={t("toasts")} closeLabel={t("close")} />
      </div>
      <Suspense fallback={null}>{some && <UploadPanel />}</Suspense>
    </>
  );
}
