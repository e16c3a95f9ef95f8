import { RotateCw } from "lucide-react";
import { useState } from "react";
import type { DeliveryWithAttempts, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { explain, isMissing } from "../../../queries/problems.ts";
import { useDelivery, useRedeliver } from "../../../queries/webhooks/use-deliveries.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/CodeBlock.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { hindranceOf } from "../model/delivery-state.ts";
import { answerText, readableRequest, requestText, wasCut } from "../model/wire-text.ts";
import { AttemptList } from "./AttemptList.tsx";
import { Verdict } from "./Verdict.tsx";

/** Everything that is known of a delivery: what went wrong, what was sent, what came back, every try. */
export function DeliveryDetail({ endpoint, deliveryId }: { endpoint: WebhookEndpoint; deliveryId: number }) {
  const query = useDelivery(deliveryId);
  const delivery = query.data;
  if (delivery?.endpoint_id === endpoint.id) return <Detail key={delivery.id} delivery={delivery} endpoint={endpoint} />;
  return (
    <div className="p-3">
      {delivery || isMissing(query.error) ? (
        <p className="text-text-2">{t("missingDelivery")}</p>
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <DetailSkeleton />
      )}
    </div>
  );
}

const HINDRANCES = { pending: "redeliverWaits", paused: "redeliverPaused" } as const;

function Detail({ delivery, endpoint }: { delivery: DeliveryWithAttempts; endpoint: WebhookEndpoint }) {
  const redeliver = useRedeliver();
  const [chosen, setChosen] = useState<number | null>(null);
  const { attempts, body } = delivery;
  const hindrance = hindranceOf(delivery, endpoint);
  const attempt = attempts.find(({ number }) => number === chosen) ?? attempts[0];
  return (
    <div className="flex flex-col gap-3 p-3">
      <Verdict delivery={delivery} attempt={attempt} />
      <div className="flex flex-col gap-3 @min-[680px]/pane:flex-row">
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <CodeBlock
            label={attempt ? t("requestSent", { number: attempt.number }) : t("request")}
            text={attempt ? readableRequest(attempt, body) : body}
            copyText={attempt ? requestText(attempt, body) : body}
            copyLabel={t("copy")}
            copiedLabel={t("copied")}
            wrap
          />
          {attempt && <Answer attempt={attempt} />}
        </div>
        <div className="flex shrink-0 flex-col gap-2 @min-[680px]/pane:w-58">
          <AttemptList attempts={attempts} chosen={attempt?.number} onChoose={setChosen} />
          <Button
            disabled={hindrance !== null}
            pending={redeliver.isPending}
            onClick={() => redeliver.mutate(delivery.id, { onSuccess: () => announce(t("redelivered")) })}
          >
            <RotateCw size={15} aria-hidden />
            {t("redeliver")}
          </Button>
          {hindrance && <p className="text-xs text-text-2">{t(HINDRANCES[hindrance])}</p>}
          {redeliver.error && <Notice title={explain(redeliver.error).title}>{explain(redeliver.error).help}</Notice>}
          <p className="text-xs wrap-anywhere text-text-2">
            {t("eventId")}: <span className="font-mono">{delivery.event_id}</span>
          </p>
        </div>
      </div>
    </div>
  );
}

function Answer({ attempt }: { attempt: DeliveryWithAttempts["attempts"][number] }) {
  if (attempt.status === null) return <p className="px-1 text-sm text-text-2">{t("noAnswer")}</p>;
  return (
    <>
      <CodeBlock label={t("answerGot", { number: attempt.number })} text={answerText(attempt)} copyLabel={t("copy")} copiedLabel={t("copied")} wrap />
      {wasCut(attempt) && <p className="px-1 text-sm text-text-2">{t("cut")}</p>}
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
