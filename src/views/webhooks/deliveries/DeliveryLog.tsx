import { Link } from "react-router";
import type { Delivery, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { useDeliveries } from "../../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useUrlState } from "../../../ui/router-state.ts";
import { formatLastResponse, formatTimestamp } from "../states.ts";
import { deliveryPath, endpointPath, parseFilter, withParam } from "../page-urls.ts";
import { DeliveryStateBadge, StateBadge } from "../StateBadge.tsx";
import { DeliveryDetail } from "./DeliveryDetail.tsx";
import { DeliveryFilters } from "./DeliveryFilters.tsx";

/** Lays out the columns in a wide pane; otherwise the cells wrap onto two lines. */
const WIDE_GRID_CLASS =
  "@min-[680px]/pane:grid @min-[680px]/pane:grid-cols-[8.75rem_minmax(0,1fr)_7.75rem_3.75rem_6.75rem_5.75rem] @min-[680px]/pane:items-center @min-[680px]/pane:gap-2.5";
const COLUMNS = ["event", "subject", "state", "attempts", "lastResponse", "time"] as const;

/** Keeps all parameters of the URL, not only the filter's. */
const WHOLE_SEARCH = { parse: (search: URLSearchParams) => search, format: (search: URLSearchParams) => `?${search}` };

/** Renders the endpoint's delivery log, newest first, with one delivery open in it. */
export function DeliveryLog({ endpoint, openId }: { endpoint: WebhookEndpoint; openId: number | null }) {
  const [search, setSearch] = useUrlState(WHOLE_SEARCH);
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
          <StateBadge tone={log.live ? "ok" : "neutral"}>{log.live ? t("live") : t("polling")}</StateBadge>
        </div>
        <DeliveryFilters filter={filter} onChange={(name, value) => setSearch((current) => withParam(current, name, value), { replace: true })} />
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
            <DeliveryRow key={delivery.id} delivery={delivery} endpoint={endpoint} isOpen={delivery.id === openId} search={search} />
          ))}
        </div>
      )}
      {deliveries?.length === 0 &&
        (isFiltered ? (
          <EmptyState
            title={t("noMatches")}
            actions={<Button onClick={() => setSearch(() => new URLSearchParams(), { replace: true })}>{t("clearFilter")}</Button>}
          />
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

function DeliveryTableHead() {
  return (
    <div
      role="row"
      className={classNames(
        "sr-only border-b border-line text-sm text-text-3 @min-[680px]/pane:not-sr-only @min-[680px]/pane:px-2 @min-[680px]/pane:pb-1.5",
        WIDE_GRID_CLASS,
      )}
    >
      {COLUMNS.map((column) => (
        <span key={column} role="columnheader" className="last:text-right">
          {t(column)}
        </span>
      ))}
    </div>
  );
}

interface DeliveryRowProps {
  delivery: Delivery;
  endpoint: WebhookEndpoint;
  isOpen: boolean;
  /** Search parameters to preserve, so that the filter stays while deliveries open and close. */
  search: URLSearchParams;
}

function DeliveryRow({ delivery, endpoint, isOpen, search }: DeliveryRowProps) {
  const lastResponse = formatLastResponse(delivery);
  const target = { pathname: isOpen ? endpointPath(endpoint.id) : deliveryPath(endpoint.id, delivery.id), search: search.toString() };
  return (
    <div className={classNames("border-b border-line", isOpen && "rounded-lg border-transparent bg-hover/60")}>
      <div
        role="row"
        className={classNames("relative flex min-h-12 flex-wrap items-center gap-x-3 gap-y-0.5 rounded-lg px-2 py-2 hover:bg-hover", WIDE_GRID_CLASS)}
      >
        <span role="cell" className="order-1 flex min-w-0 flex-1 items-center gap-2 @min-[680px]/pane:order-none">
          <Link
            to={target}
            preventScrollReset
            aria-expanded={isOpen}
            // Extends the link over the whole row.
            className="truncate rounded-sm font-semibold after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-accent-text"
          >
            {delivery.event_type}
          </Link>
        </span>
        <span role="cell" title={delivery.subject} className="order-3 w-full truncate text-text-2 @min-[680px]/pane:order-none @min-[680px]/pane:w-auto">
          {delivery.is_test && <span className="mr-1.5 rounded-sm bg-info/12 px-1.5 py-0.5 text-xs font-medium text-info">{t("test")}</span>}
          <bdi>{delivery.subject}</bdi>
        </span>
        <span role="cell" className="order-4 flex max-w-full min-w-0 @min-[680px]/pane:order-none">
          <DeliveryStateBadge delivery={delivery} />
        </span>
        <span role="cell" className="tabular order-5 text-sm text-text-2 @min-[680px]/pane:order-none @min-[680px]/pane:text-md">
          <span className="@min-[680px]/pane:hidden">{t("attemptCount", { count: delivery.attempt_count })}</span>
          <span aria-hidden className="hidden @min-[680px]/pane:inline">
            {delivery.attempt_count}
          </span>
        </span>
        <span role="cell" className="tabular order-6 truncate text-sm text-text-2 @min-[680px]/pane:order-none @min-[680px]/pane:text-md">
          {lastResponse ?? "–"}
        </span>
        <span role="cell" className="order-2 text-right text-sm text-text-2 @min-[680px]/pane:order-none">
          <time dateTime={delivery.created_at} title={formatDateTime(delivery.created_at)}>
            {formatTimestamp(delivery.created_at)}
          </time>
        </span>
      </div>
      {isOpen && (
        <div role="row">
          <div role="cell" aria-colspan={COLUMNS.length}>
            <DeliveryDetail endpoint={endpoint} deliveryId={delivery.id} />
          </div>
        </div>
      )}
    </div>
  );
}
