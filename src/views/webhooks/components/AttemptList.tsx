import type { DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { formatDuration, formatTimestamp, shortResponse } from "../model/words.ts";

interface Props {
  attempts: readonly DeliveryAttempt[];
  selectedNumber: number | undefined;
  onSelect(number: number): void;
}

/** Lists a delivery's attempts, newest first; the selected one is shown beside the list. */
export function AttemptList({ attempts, selectedNumber, onSelect }: Props) {
  return (
    <ol aria-label={t("attempts")} className="flex flex-col gap-1.5">
      {attempts.map((attempt) => {
        const ok = attempt.outcome === "ok";
        return (
          <li key={attempt.number}>
            <button
              type="button"
              aria-pressed={attempt.number === selectedNumber}
              title={formatDateTime(attempt.started_at)}
              onClick={() => onSelect(attempt.number)}
              className={classes(
                "tabular flex min-h-9 w-full flex-wrap items-baseline gap-x-2 rounded-md border bg-surface px-2.5 py-1.5 text-left text-sm hover:bg-hover",
                attempt.number === selectedNumber ? "border-field-line" : "border-line",
              )}
            >
              <span className="text-text-3">{t("attemptNumber", { number: attempt.number })}</span>
              <span>{formatTimestamp(attempt.started_at)}</span>
              <span className={classes("ml-auto font-medium", ok ? "text-ok" : "text-danger")}>{shortResponse(attempt)}</span>
              <span className="text-text-3">{formatDuration(attempt.duration_ms)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
