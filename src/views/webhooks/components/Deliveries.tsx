import { useLayoutEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { useDeliveries } from "../../../queries/webhooks/use-deliveries.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { parseFilter, withParam } from "../model/address.ts";
import { DeliveryDetail } from "./DeliveryDetail.tsx";
import { DeliveryFilters } from "./DeliveryFilters.tsx";
import { DeliveryRow, DeliveryTableHead } from "./DeliveryRow.tsx";
import { StateDot } from "./StateDot.tsx";

/** Renders the endpoint's delivery log, newest first, with one delivery open in it. */
export function Deliveries({ endpoint, openId }: { endpoint: WebhookEndpoint; openId: number | null }) {
  const [search, setSearch] = useSearchParams();
  // The router renders a new URL some time after a change, and a second change until then must not undo the first.
  const latestSearch = useRef(search);
  useLayoutEffect(() => {
    latestSearch.current = search;
  }, [search]);
  const replaceSearch = (next: URLSearchParams) => {
    latestSearch.current = next;
    setSearch(next, { replace: true });
  };
  const filter = parseFilter(search);
  const log = useDeliveries(endpoint.id, filter);
  const { deliveries } = log;
  const isFiltered = filter.type !== null || filter.state !== null || filter.time !== null;
  // The open delivery may come from a link, be older than the first page, or no longer match the filter.
  const isOutsideList = openId !== null && deliveries !== undefined && !deliveries.some(({ id }) => id === openId);

  return (
    <section aria-labelledby="deliveries" className="flex flex-col">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex items-center gap-3">
          <h3 id="deliveries" className="font-semibold">
            {t("deliveries")}
          </h3>
          <StateDot tone={log.live ? "ok" : "quiet"}>{log.live ? t("live") : t("polling")}</StateDot>
        </div>
        <DeliveryFilters filter={filter} onChange={(name, value) => replaceSearch(withParam(latestSearch.current, name, value))} />
      </div>
      {log.isPending && <LogSkeleton />}
      {log.isError && !deliveries && <LoadError error={log.error} retry={() => void log.refetch()} />}
      {isOutsideList && (
        <div className="mb-3 rounded-lg bg-hover/60">
          <DeliveryDetail endpoint={endpoint} deliveryId={openId} />
        </div>
      )}
      {deliveries && deliveries.length > 0 && (
        <div role="table" aria-labelledby="deliveries">
          <DeliveryTableHead />
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} endpoint={endpoint} open={delivery.id === openId} search={search} />
          ))}
        </div>
      )}
      {deliveries?.length === 0 &&
        (isFiltered ? (
          <EmptyState title={t("noMatches")} actions={<Button onClick={() => replaceSearch(new URLSearchParams())}>{t("clearFilter")}</Button>} />
        ) : (
          <EmptyState title={t("noDeliveries")}>{t("noDeliveriesHelp")}</EmptyState>
        ))}
      {log.hasNextPage && (
        <Button className="mt-3 self-center" pending={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t("older")}
        </Button>
      )}
    </section>
  );
}

function LogSkeleton() {
  return (
    <div aria-hidden className="border-t border-line">
      {[0, 1, 2, 3].map((index) => (
        <div key={index} className="flex h-12 items-center gap-6 border-b border-line px-2">
          <Skeleton className="h-3 w-32" />
          <Skeleton className="h-3 flex-1" />
          <Skeleton className="h-3 w-24" />
        </div>
      ))}
    </div>
  );
}
