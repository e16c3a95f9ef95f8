import { CircleCheck, Clock, TriangleAlert } from "lucide-react";
import type { Delivery, DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { useNow } from "../../../ui/use-now.ts";
import { getDeliveryStatus } from "../model/delivery-state.ts";
import { explainOutcome } from "../model/outcome.ts";
import { formatCountdown } from "../model/words.ts";

function formatNextStep(delivery: Delivery, now: number): string | null {
  const deliveryStatus = getDeliveryStatus(delivery, now);
  if (deliveryStatus.kind === "delivered") return null;
  if (deliveryStatus.kind === "held") return t("heldReason");
  if (deliveryStatus.kind === "failed") return delivery.is_test ? t("testNotRetried") : t("retriesExhausted");
  if (deliveryStatus.kind === "sending") return t("sendingNow");
  return t("nextAttempt", { span: formatCountdown(deliveryStatus.seconds) });
}

interface Props {
  delivery: Delivery;
  /** The selected attempt; undefined before the first one. */
  attempt: DeliveryAttempt | undefined;
}

/** Explains an attempt's outcome, what helps and what happens next; not a live region, because it counts down. */
export function AttemptSummary({ delivery, attempt }: Props) {
  const now = useNow(delivery.next_attempt_at !== null);
  const explanation = attempt && explainOutcome(attempt, delivery.state === "pending");
  const nextStep = formatNextStep(delivery, now);
  const tone = !attempt ? "quiet" : attempt.outcome === "ok" ? "ok" : "danger";
  const Icon = tone === "ok" ? CircleCheck : tone === "danger" ? TriangleAlert : Clock;
  return (
    <div
      className={classes(
        "flex gap-2.5 rounded-md px-3 py-2.5",
        tone === "ok" ? "bg-ok/8 text-ok" : tone === "danger" ? "bg-danger/8 text-danger" : "bg-hover text-text-2",
      )}
    >
      <Icon size={18} aria-hidden className="mt-px shrink-0" />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold">{explanation?.summary ?? t("notAttempted")}</p>
        {explanation?.advice && <p className="text-text">{explanation.advice}</p>}
        {nextStep && <p className="tabular text-text">{nextStep}</p>}
      </div>
    </div>
  );
}
