import { LoaderCircle } from "lucide-react";
import type { FileCommon } from "../../../contract/records.ts";
import { t } from "../../lib/texts/review.ts";
import { describeError } from "../../queries/describe-error.ts";
import { useProcessingPercent } from "../../queries/files/cache-updates.ts";
import { hasFailed, isProcessing } from "../../queries/files/file-updates.ts";
import { useRetryProcessing } from "../../queries/files/use-file.ts";
import { useCan } from "../../queries/permissions.ts";
import { useOptionalSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { failureOf, versionOf } from "./file-info.ts";

/** Shows processing progress or the reason for a failure. Renders nothing when processing is done. */
export function Processing({ common }: { common: FileCommon }) {
  if (hasFailed(common.transcoding_status)) return <ProcessingFailed common={common} />;
  return isProcessing(common.transcoding_status) ? <ProcessingProgress common={common} /> : null;
}

function ProcessingProgress({ common }: { common: FileCommon }) {
  const percent = useProcessingPercent(common.id, versionOf(common) ?? 0);
  const isWaiting = common.transcoding_status === "waiting" && percent === undefined;
  const title = isWaiting ? t("waitingTitle") : percent === undefined ? t("processing") : t("processingPercent", { percent });
  return (
    <div role="status" className="mx-4 mt-4 flex items-center gap-3 rounded-md bg-info/12 px-3 py-2.5 tablet:mx-5">
      <LoaderCircle size={18} aria-hidden className="shrink-0 animate-spin text-info" />
      <div className="min-w-0 flex-1">
        <p className="tabular font-semibold">{title}</p>
        <p className="text-sm text-text-2">{t("waitingHelp")}</p>
        {percent !== undefined && (
          <div aria-hidden className="mt-1.5 h-1 overflow-hidden rounded-full bg-line-strong">
            <div className="h-full rounded-full bg-info" style={{ width: `${percent}%` }} />
          </div>
        )}
      </div>
    </div>
  );
}

function ProcessingFailed({ common }: { common: FileCommon }) {
  const canProcess = useCan("file.process");
  const session = useOptionalSession();
  const { mutate, isPending, error } = useRetryProcessing();
  return (
    <Notice title={t("processingFailed")} className="mx-4 mt-4 tablet:mx-5">
      {failureOf(common) && <p>{failureOf(common)}</p>}
      <p>{t("processingFailedHelp")}</p>
      {canProcess ? (
        <Button size="sm" className="mt-2" pending={isPending} onClick={() => mutate(common.id)}>
          {t("runAgain")}
        </Button>
      ) : (
        session && <p>{t("runAgainGuest")}</p>
      )}
      {error && <p className="mt-2 text-danger">{describeError(error).title}</p>}
    </Notice>
  );
}
