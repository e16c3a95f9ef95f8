import type { EventSubscription, SubscriptionDelivery } from "../../../../../contract/agent-subscription-records.ts";
import { useServiceTime } from "../../../../client/client.ts";
import { ErrorNotice } from "../../../../components/ErrorNotice.tsx";
import { ListState } from "../../../../components/ListSection.tsx";
import { formatUrl } from "../../../../lib/format.ts";
import { t } from "../../../../lib/texts/agent-subscriptions.ts";
import { formatDateTime, formatDayTime } from "../../../../lib/time.ts";
import { type SubscriptionRef, useRedeliver, useSubscriptionDeliveries } from "../../../../queries/agents/agent-subscriptions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog } from "../../../../ui/Dialog.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";

const STATES: Readonly<Record<string, readonly [text: string, color: string]>> = {
  pending: [t("pending"), "text-text-2"],
  delivered: [t("delivered"), "text-ok"],
  failed: [t("failed"), "text-danger"],
  held: [t("held"), "text-text-2"],
};

/** What was sent to a subscription in the last 30 days, newest first. */
export function DeliveriesDialog({ subscription, onClose }: { subscription: EventSubscription; onClose(): void }) {
  const ref = { agentId: subscription.agent_id, id: subscription.id };
  const list = useSubscriptionDeliveries(ref);
  return (
    <Dialog title={t("deliveriesOf", { url: formatUrl(subscription.url) })} onClose={onClose} width="lg" lightDismiss>
      <ListState query={{ ...list, data: list.deliveries }} rows={3} />
      {list.deliveries?.length === 0 && <EmptyState title={t("noDeliveries")} />}
      <ol className="divide-y divide-line">
        {list.deliveries?.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} subscriptionRef={ref} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button className="mt-3" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("older")}
        </Button>
      )}
    </Dialog>
  );
}

function DeliveryItem({ delivery, subscriptionRef }: { delivery: SubscriptionDelivery; subscriptionRef: SubscriptionRef }) {
  const now = useServiceTime();
  const redeliver = useRedeliver(subscriptionRef);
  const [state, color] = STATES[delivery.state] ?? [delivery.state, "text-text-2"];
  const when = formatDayTime(delivery.created_at, now);
  return (
    <li className="py-2.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-mono text-sm wrap-anywhere">{delivery.event_type}</code>
            <span className={`text-sm font-medium ${color}`}>{state}</span>
          </p>
          <p className="text-sm wrap-anywhere text-text-3">
            <time dateTime={delivery.created_at} title={formatDateTime(delivery.created_at)}>
              {when}
            </time>
            {delivery.attempt_count > 0 && ` · ${t("attempts", { count: delivery.attempt_count })}`}
            {delivery.subject !== "" && ` · ${delivery.subject}`}
          </p>
        </div>
        {delivery.state !== "pending" && (
          <Button
            size="sm"
            pending={redeliver.isPending}
            aria-label={t("redeliverLabel", { type: delivery.event_type, when })}
            onClick={() => redeliver.mutate(delivery.id)}
          >
            {t("redeliver")}
          </Button>
        )}
      </div>
      <ErrorNotice error={redeliver.error} className="mt-2" />
    </li>
  );
}
