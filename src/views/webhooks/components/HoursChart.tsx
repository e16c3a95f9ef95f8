import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { computeBars, computeStatistics, getEndpointState } from "../model/endpoint-state.ts";

interface Props {
  endpoint: WebhookEndpoint;
  className: string;
}

/**
 * Charts the last 24 hours with a stacked bar for each: delivered, failed above it, waiting on top. While the endpoint is failing, waiting deliveries
 * use the danger color, because most have failed once.
 */
export function HoursChart({ endpoint, className }: Props) {
  const { recent } = endpoint;
  const { delivered, failed, waiting } = computeStatistics(recent);
  const waitingClass = getEndpointState(endpoint) === "failing" ? "bg-danger/75" : "bg-text-3";
  return (
    <span role="img" aria-label={t("chart", { delivered, failed, waiting })} className={classes("flex items-end gap-0.5 opacity-80", className)}>
      {computeBars(recent).map((bar) => (
        <span key={bar.hour} className="flex h-full min-w-0 flex-1 flex-col justify-end overflow-hidden rounded-[1px]">
          {bar.delivered + bar.failed + bar.waiting === 0 && <span className="h-0.5 bg-line-strong" />}
          <span className={waitingClass} style={{ height: `${bar.waiting}%` }} />
          <span className="bg-danger" style={{ height: `${bar.failed}%` }} />
          <span className="bg-ok" style={{ height: `${bar.delivered}%` }} />
        </span>
      ))}
    </span>
  );
}
