import { Link } from "react-router";
import type { Delivery, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { deliveryPath, endpointPath } from "../model/address.ts";
import { formatTimestamp, formatLastResponse } from "../model/words.ts";
import { DeliveryDetail } from "./DeliveryDetail.tsx";
import { DeliveryState } from "./DeliveryState.tsx";

/** Columns in a wide pane; otherwise the cells wrap onto two lines. */
const WIDE_GRID_CLASS =
  "@min-[680px]/pane:grid @min-[680px]/pane:grid-cols-[8.75rem_minmax(0,1fr)_7.75rem_3.75rem_6.75rem_5.75rem] @min-[680px]/pane:items-center @min-[680px]/pane:gap-2.5";
const COLUMNS = ["event", "subject", "state", "attempts", "lastResponse", "time"] as const;

export function DeliveryTableHead() {
  return (
    <div
      role="row"
      className={classes(
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

interface Props {
  delivery: Delivery;
  endpoint: WebhookEndpoint;
  open: boolean;
  /** Search parameters to preserve, so that the filter stays while deliveries open and close. */
  search: URLSearchParams;
}

export function DeliveryRow({ delivery, endpoint, open, search }: Props) {
  const lastResponse = formatLastResponse(delivery);
  const target = { pathname: open ? endpointPath(endpoint.id) : deliveryPath(endpoint.id, delivery.id), search: search.toString() };
  return (
    <div className={classes("border-b border-line", open && "rounded-lg border-transparent bg-hover/60")}>
      <div
        role="row"
        className={classes("relative flex min-h-12 flex-wrap items-center gap-x-3 gap-y-0.5 rounded-lg px-2 py-2 hover:bg-hover", WIDE_GRID_CLASS)}
      >
        <span role="cell" className="order-1 flex min-w-0 flex-1 items-center gap-2 @min-[680px]/pane:order-none">
          <Link
            to={target}
            preventScrollReset
            aria-expanded={open}
            // Extends the link over the whole row.
            className="truncate rounded-sm font-semibold after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-accent-text"
          >
            {delivery.event_type}
          </Link>
        </span>
        <span
          role="cell"
          title={delivery.subject}
          className="order-3 line-clamp-2 w-full wrap-anywhere text-text-2 @min-[680px]/pane:order-none @min-[680px]/pane:w-auto"
        >
          {delivery.is_test && <span className="mr-1.5 rounded-sm bg-info/12 px-1.5 text-xs font-medium text-info">{t("test")}</span>}
          <bdi>{delivery.subject}</bdi>
        </span>
        <span role="cell" className="order-4 flex max-w-full min-w-0 @min-[680px]/pane:order-none">
          <DeliveryState delivery={delivery} />
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
      {open && (
        <div role="row">
          <div role="cell" aria-colspan={COLUMNS.length}>
            <DeliveryDetail endpoint={endpoint} deliveryId={delivery.id} />
          </div>
        </div>
      )}
    </div>
  );
}
