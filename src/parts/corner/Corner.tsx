import { lazy, Suspense, type ReactNode } from "react";
import { t } from "../../lib/messages/upload-panel.ts";
import { useSomeUploads } from "../../queries/uploads/use-file-uploads.ts";
import { useChoicesOfSession } from "../../queries/statuses/use-choices.ts";
import { Toasts } from "../../ui/Toasts.tsx";
import { useRefusedComments } from "./use-refused-comments.ts";
import { StatusChoices, useChoiceEnds, useShownChoices } from "../status/StatusChoices.tsx";

const UploadPanel = lazy(async () => ({ default: (await import("../upload-panel/UploadPanel.tsx")).UploadPanel }));

/** What stands at the lower edge of every view: statuses that do not count yet, toasts, and the uploads where there are some. */
export function Corner(): ReactNode {
  const some = useSomeUploads();
  useChoicesOfSession();
  useChoiceEnds();
  useRefusedComments();
  const choices = useShownChoices();
  return (
    <>
      <div className="relative">
        <Toasts label={t("toasts")} closeLabel={t("close")}>
          {choices.length > 0 && <StatusChoices choices={choices} />}
        </Toasts>
      </div>
      <Suspense fallback={null}>{some && <UploadPanel />}</Suspense>
    </>
  );
}
