import { CircleCheck, Clock, RotateCw, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import type { Delivery, DeliveryAttempt, DeliveryWithAttempts, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { isInaccessible } from "../../../queries/describe-error.ts";
import { useDelivery, useRedeliver } from "../../../queries/webhooks/use-webhooks.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useNow } from "../use-now.ts";
import { formatCountdown, formatDuration, formatTimestamp, shortResponse, getDeliveryStatus, redeliverDisabledReason } from "../states.ts";
import { explainOutcome, isNextAsAsked } from "./attempt.ts";
import { AttemptExchange } from "./AttemptExchange.tsx";

/** Shows a delivery in full: the error, the request, the response and every attempt. */
export function DeliveryDetail({ endpoint, deliveryId }: { endpoint: WebhookEndpoint; deliveryId: number }) {
  const query = useDelivery(deliveryId);
  const delivery = query.data;
  if (delivery?.endpoint_id === endpoint.id) return <Detail key={delivery.id} delivery={delivery} endpoint={endpoint} />;
  return (
    <div className="p-3">
      {delivery || isInaccessible(query.error) ? (
        <p className="text-text-2">{t("missingDelivery")}</p>
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <DetailSkeleton />
      )}
    </div>
  );
}

function Detail({ delivery, endpoint }: { delivery: DeliveryWithAttempts; endpoint: WebhookEndpoint }) {
  const [selectedNumber, setSelectedNumber] = useState<number | null>(null);
  const { attempts, body } = delivery;
  const attempt = attempts.find(({ number }) => number === selectedNumber) ?? attempts[0];
  return (
    <div className="flex flex-col gap-3 p-3">
      <AttemptSummary delivery={delivery} attempt={attempt} />
      <div className="flex flex-col gap-3 @min-[680px]/pane:flex-row-reverse">
        <div className="flex shrink-0 flex-col gap-2 @min-[680px]/pane:w-58">
          <AttemptList attempts={attempts} selectedNumber={attempt?.number} onSelect={setSelectedNumber} />
          <Redelivery delivery={delivery} endpoint={endpoint} />
          <dl className="mt-1 text-xs text-text-2">
            <IdLine label={t("eventId")} value={delivery.event_id} />
            <IdLine label={t("deliveryId")} value={String(delivery.id)} />
          </dl>
        </div>
        <AttemptExchange attempt={attempt} body={body} />
      </div>
    </div>
  );
}

/** Sends the delivery now, and says when it is sent by itself. */
function Redelivery({ delivery, endpoint }: { delivery: DeliveryWithAttempts; endpoint: WebhookEndpoint }) {
  const redeliver = useRedeliver();
  const now = useNow(delivery.next_attempt_at !== null);
  const disabledReason = redeliverDisabledReason(delivery, endpoint, now);
  const note = disabledReason === "paused" ? t("redeliverPaused") : formatNextAttempt(delivery, now);
  return (
    <>
      <Button
        icon={RotateCw}
        disabled={disabledReason !== null}
        pending={redeliver.isPending}
        onClick={() => redeliver.mutate(delivery.id, { onSuccess: () => announce(t("redelivered")) })}
      >
        {t("redeliver")}
      </Button>
      {note && <p className="tabular text-center text-sm text-text-2">{note}</p>}
      <ErrorNotice error={redeliver.error} />
    </>
  );
}

/** Formats the time of the next automatic attempt, which is the only time that is ever named; null if there is none. */
function formatNextAttempt(delivery: DeliveryWithAttempts, now: number): string | null {
  const status = getDeliveryStatus(delivery, now);
  if (status.kind !== "waiting") return null;
  const span = formatCountdown(status.seconds);
  const [newest] = delivery.attempts;
  if (!newest) return t("firstAttemptIn", { span });
  return t(isNextAsAsked(newest, delivery.next_attempt_at ?? "") ? "nextRetryAsked" : "nextRetry", { span });
}

function IdLine({ label, value }: { label: string; value: string }) {
  const text = useRef<HTMLElement>(null);
  return (
    <div className="flex items-center gap-1.5">
      <dt className="shrink-0">{label}</dt>
      <dd ref={text} title={value} className="min-w-0 flex-1 truncate font-mono">
        {value}
      </dd>
      <dd className="-mr-1.5 shrink-0">
        <CopyButton isIcon label={t("copyPart", { part: label })} text={value} target={text} />
      </dd>
    </div>
  );
}

function DetailSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-3">
      <Skeleton className="h-14 rounded-md" />
      <Skeleton className="h-48 rounded-md" />
    </div>
  );
}

function formatNextStep(delivery: Delivery, now: number): string | null {
  const deliveryStatus = getDeliveryStatus(delivery, now);
  if (deliveryStatus.kind === "delivered") return null;
  if (deliveryStatus.kind === "held") return t("heldReason");
  if (deliveryStatus.kind === "failed") return delivery.is_test ? t("testNotRetried") : t("retriesExhausted");
  // The countdown stands beside the button that sends it now.
  return deliveryStatus.kind === "waiting" ? null : t("sendingNow");
}

interface AttemptSummaryProps {
  delivery: Delivery;
  /** The selected attempt; undefined before the first one. */
  attempt: DeliveryAttempt | undefined;
}

/** Explains an attempt's outcome, what helps and what happens next; not a live region, because it counts down. */
function AttemptSummary({ delivery, attempt }: AttemptSummaryProps) {
  const now = useNow(delivery.next_attempt_at !== null);
  const explanation = attempt && explainOutcome(attempt, delivery.state === "pending");
  const nextStep = formatNextStep(delivery, now);
  const tone = !attempt ? "neutral" : attempt.outcome === "ok" ? "ok" : "danger";
  const Icon = tone === "ok" ? CircleCheck : tone === "danger" ? TriangleAlert : Clock;
  return (
    <div
      className={classNames(
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

interface AttemptListProps {
  attempts: readonly DeliveryAttempt[];
  selectedNumber: number | undefined;
  onSelect(number: number): void;
}

/** Lists a delivery's attempts, newest first; the selected one is shown beside the list. */
function AttemptList({ attempts, selectedNumber, onSelect }: AttemptListProps) {
  return (
    <ol aria-label={t("attempts")} className="flex flex-col gap-1.5">
      {attempts.map((attempt) => {
        const isSuccess = attempt.outcome === "ok";
        return (
          <li key={attempt.number}>
            <button
              type="button"
              aria-pressed={attempt.number === selectedNumber}
              title={formatDateTime(attempt.started_at)}
              onClick={() => onSelect(attempt.number)}
              className={classNames(
                "tabular flex min-h-9 w-full flex-wrap items-baseline gap-x-2 rounded-md border bg-surface px-2.5 py-1.5 text-left text-sm hover:bg-hover",
                attempt.number === selectedNumber ? "border-field-line" : "border-line",
              )}
            >
              <span className="text-text-3">{t("attemptNumber", { number: attempt.number })}</span>
              <span>{formatTimestamp(attempt.started_at)}</span>
              <span className={classNames("ml-auto font-medium", isSuccess ? "text-ok" : "text-danger")}>{shortResponse(attempt)}</span>
              <span className="text-text-3">{formatDuration(attempt.duration_ms)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
