import { CircleAlert } from "lucide-react";
import type { MouseEventHandler, ReactNode } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/message-text.ts";
import type { OutboxEntry } from "../../sync/outbox/outbox-types.ts";
import { Button } from "../../ui/Button.tsx";

interface Props {
  entry: OutboxEntry;
  /** True while the row shows that the entry is waiting. */
  isDelayed: boolean;
  /** Also shows for a failed entry that this browser could not store it. */
  warnsIfFailed?: boolean;
  /** Classes of the failure. */
  className?: string;
  onRetry: MouseEventHandler<HTMLButtonElement>;
  onDiscard(): void;
  /** Buttons between Retry and Delete. */
  children?: ReactNode;
}

/** Shows below a message or comment that it waits to be sent, or why sending failed and what the author can do. */
export function SendStatus({ entry, isDelayed, warnsIfFailed = false, className, onRetry, onDiscard, children }: Props) {
  const isFailed = entry.state === "failed";
  return (
    <>
      {!isFailed && isDelayed && <p className="text-xs text-text-3">{t("waiting")}</p>}
      {!entry.isPersisted && (isFailed ? warnsIfFailed : isDelayed) && <p className="text-xs text-danger">{t("notPersisted")}</p>}
      {isFailed && (
        <div className={classNames("mt-1", className, "flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-danger")}>
          <span className="flex items-start gap-1.5 wrap-anywhere">
            <CircleAlert size={15} aria-hidden className="mt-px shrink-0" />
            {entry.error ? t("failedBecause", { reason: entry.error }) : t("failed")}
          </span>
          <span className="flex gap-2">
            <Button size="sm" onClick={onRetry}>
              {t("retry")}
            </Button>
            {children}
            <Button size="sm" variant={entry.voice ? "secondary" : "danger"} onClick={onDiscard}>
              {t(entry.voice ? "moveToDraft" : "discardUnsent")}
            </Button>
          </span>
        </div>
      )}
    </>
  );
}
