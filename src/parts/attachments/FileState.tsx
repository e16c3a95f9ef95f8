import { CircleAlert } from "lucide-react";
import type { Attachment } from "../../../contract/records.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/attachments.ts";
import { hasFailed, isProcessing } from "../../queries/files/state.ts";
import { useProgress } from "../../queries/files/use-progress.ts";
import { useRetryProcessing } from "../../queries/files/use-retry-processing.ts";
import { describeError } from "../../queries/problems.ts";
import { usePermissions } from "../../queries/session/use-rights.ts";
import { Button } from "../../ui/Button.tsx";

/** Returns whether a file is being processed or has failed. */
export const isProcessingOrFailed = ({ transcoding_status }: Attachment): boolean => isProcessing(transcoding_status) || hasFailed(transcoding_status);

interface Props {
  attachment: Attachment;
  className?: string;
}

/** Shows the processing state of a file in at most two lines, or nothing once it is done. */
export function FileState({ attachment, className }: Props) {
  if (hasFailed(attachment.transcoding_status)) return <ProcessingFailed attachment={attachment} className={className ?? ""} />;
  return isProcessing(attachment.transcoding_status) ? <ProcessingProgress attachment={attachment} className={className ?? ""} /> : null;
}

function useProcessingState({ id, version = 1, transcoding_status }: Attachment): { percent: number | undefined; text: string } {
  const progress = useProgress(id, version);
  if (progress === undefined) return { percent: undefined, text: t(transcoding_status === "waiting" ? "waiting" : "transcoding") };
  const percent = Math.floor(progress * 100);
  return { percent, text: t("transcodingPercent", { percent }) };
}

/** Shows the processing state in a few words, for files that are usable already. */
export function ProcessingLabel({ attachment }: { attachment: Attachment }) {
  return <span className="shrink-0">{useProcessingState(attachment).text}</span>;
}

function ProcessingProgress({ attachment, className }: Required<Props>) {
  const { percent, text } = useProcessingState(attachment);
  return (
    <div className={classes("flex min-w-0 flex-col justify-center gap-1.5", className)}>
      <span className="tabular text-sm text-text-2">{text}</span>
      <span
        role="progressbar"
        aria-label={t("transcodingName", { name: attachment.name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="block h-1 overflow-hidden rounded-full bg-line-strong"
      >
        <span className="block h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent ?? 0}%` }} />
      </span>
    </div>
  );
}

function ProcessingFailed({ attachment, className }: Required<Props>) {
  const { canProcessFiles } = usePermissions();
  const { mutate, isPending, error } = useRetryProcessing();
  const reason = attachment.failure || t("failed");
  const text = error ? t("runAgainFailed", { fault: describeError(error).title }) : reason;
  return (
    <div className={classes("flex min-w-0 items-center gap-2", className)}>
      <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />
      <p title={text} className="line-clamp-2 min-w-0 flex-1 text-sm wrap-anywhere text-danger max-tablet:line-clamp-3 max-tablet:text-xs">
        {text}
      </p>
      {canProcessFiles && (
        <Button size="sm" pending={isPending} onClick={() => mutate(attachment.id)}>
          {t("runAgain")}
        </Button>
      )}
    </div>
  );
}
