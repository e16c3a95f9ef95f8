import { RotateCw } from "lucide-react";
import { useState } from "react";
import type { DeliveryWithAttempts, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { describeError, isInaccessible } from "../../../queries/problems.ts";
import { useDelivery, useRedeliver } from "../../../queries/webhooks/use-deliveries.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/CodeBlock.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { redeliverDisabledReason } from "../model/delivery-state.ts";
import { responseText, readableRequest, requestText, isResponseTruncated } from "../model/wire-text.ts";
import { AttemptList } from "./AttemptList.tsx";
import { AttemptSummary } from "./Verdict.tsx";

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

const DISABLED_REASON_LABELS = { pending: "redeliverPending", paused: "redeliverPaused" } as const;

function Detail({ delivery, endpoint }: { delivery: DeliveryWithAttempts; endpoint: WebhookEndpoint }) {
  const redeliver = useRedeliver();
  const [selectedNumber, setSelectedNumber] = useState<number | null>(null);
  const { attempts, body } = delivery;
  const disabledReason = redeliverDisabledReason(delivery, endpoint);
  const attempt = attempts.find(({ number }) => number === selectedNumber) ?? attempts[0];
  return (
    <div className="flex flex-col gap-3 p-3">
      <AttemptSummary delivery={delivery} attempt={attempt} />
      <div className="flex flex-col gap-3 @min-[680px]/pane:flex-row">
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <CodeBlock
            label={attempt ? t("attemptRequest", { number: attempt.number }) : t("request")}
            text={attempt ? readableRequest(attempt, body) : body}
            copyText={attempt ? requestText(attempt, body) : body}
            copyLabel={t("copy")}
            copiedLabel={t("copied")}
            wrap
          />
          {attempt && <AttemptResponse attempt={attempt} />}
        </div>
        <div className="flex shrink-0 flex-col gap-2 @min-[680px]/pane:w-58">
          <AttemptList attempts={attempts} selectedNumber={attempt?.number} onSelect={setSelectedNumber} />
          <Button
            disabled={disabledReason !== null}
            pending={redeliver.isPending}
            onClick={() => redeliver.mutate(delivery.id, { onSuccess: () => announce(t("redelivered")) })}
          >
            <RotateCw size={15} aria-hidden />
            {t("redeliver")}
          </Button>
          {disabledReason && <p className="text-xs text-text-2">{t(DISABLED_REASON_LABELS[disabledReason])}</p>}
          {redeliver.error && <Notice title={describeError(redeliver.error).title}>{describeError(redeliver.error).help}</Notice>}
          <p className="text-xs wrap-anywhere text-text-2">
            {t("eventId")}: <span className="font-mono">{delivery.event_id}</span>
          </p>
        </div>
      </div>
    </div>
  );
}

function AttemptResponse({ attempt }: { attempt: DeliveryWithAttempts["attempts"][number] }) {
  if (attempt.status === null) return <p className="px-1 text-sm text-text-2">{t("noResponse")}</p>;
  return (
    <>
      <CodeBlock label={t("attemptResponse", { number: attempt.number })} text={responseText(attempt)} copyLabel={t("copy")} copiedLabel={t("copied")} wrap />
      {isResponseTruncated(attempt) && <p className="px-1 text-sm text-text-2">{t("responseTruncated")}</p>}
    </>
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
