import { Plus } from "lucide-react";
import { Link } from "react-router";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { formatUrl } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useProjects } from "../../../queries/projects.ts";
import { useFormerCreator } from "../../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { formatEventTypes, computeBars, computeStatistics, getEndpointState } from "../states.ts";
import { endpointPath } from "../page-urls.ts";
import { EndpointStateBadge } from "../StateBadge.tsx";

interface EndpointListProps {
  endpoints: readonly WebhookEndpoint[];
  /** NaN if no endpoint is open. */
  current: number;
  onCreate(): void;
}

export function EndpointList({ endpoints, current, onCreate }: EndpointListProps) {
  return (
    <section aria-labelledby="endpoints" className="mx-auto max-w-160 p-4">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 id="endpoints" className="font-semibold">
          {t("endpoints")}
        </h2>
        <Button icon={Plus} variant="primary" onClick={onCreate}>
          {t("newEndpoint")}
        </Button>
      </div>
      <ul className="flex flex-col gap-2">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id}>
            <EndpointCard endpoint={endpoint} isOpen={endpoint.id === current} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function EndpointCard({ endpoint, isOpen }: { endpoint: WebhookEndpoint; isOpen: boolean }) {
  const { deliveredPercent, totalCount } = computeStatistics(endpoint.recent);
  const formerCreator = useFormerCreator(endpoint);
  const state = getEndpointState(endpoint);
  const projects = useProjectsLabel(endpoint);
  const heldLabel = endpoint.held_count > 0 && t("heldEvents", { count: endpoint.held_count });
  return (
    <Link
      id={`endpoint-${endpoint.id}`}
      to={endpointPath(endpoint.id)}
      aria-current={isOpen ? "page" : undefined}
      className={classNames(
        "block rounded-lg border p-3.5 transition-colors hover:bg-hover",
        isOpen ? "border-accent bg-surface shadow-[inset_0_0_0_1px_var(--accent)]" : "border-line bg-surface",
      )}
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 truncate font-semibold" title={endpoint.url}>
          {formatUrl(endpoint.url)}
        </span>
        <EndpointStateBadge endpoint={endpoint} state={state} />
      </span>
      <span className="block truncate text-sm text-text-2">
        {formatEventTypes(endpoint.event_types)}
        {projects && ` · ${projects}`}
        {heldLabel && ` · ${heldLabel}`}
      </span>
      {formerCreator !== null && <span className="block text-sm text-text-2">{t("formerCreator", { name: formerCreator })}</span>}
      {totalCount > 0 && <HoursChart endpoint={endpoint} className="mt-2 h-7" />}
      <span className="mt-1.5 flex justify-between gap-3 text-sm text-text-3">
        <span>{totalCount === 0 ? t("noEvents") : t("eventsIn24", { count: totalCount })}</span>
        {deliveredPercent !== null && <span className="tabular">{t("percentDelivered", { percent: deliveredPercent })}</span>}
      </span>
    </Link>
  );
}

/** Returns the name of the only project whose events an endpoint gets, or their number; null if it gets those of every project. */
function useProjectsLabel({ project_ids: ids }: WebhookEndpoint): string | null {
  const projects = useProjects().data;
  if (!ids) return null;
  const name = ids.length === 1 && projects?.find(({ id }) => id === ids[0])?.name;
  return name || t("projectCount", { count: ids.length });
}

interface HoursChartProps {
  endpoint: WebhookEndpoint;
  className: string;
}

/**
 * Charts the last 24 hours with a stacked bar for each: delivered, failed above it, waiting on top. While the endpoint is failing, waiting deliveries
 * use the danger color, because most have failed once.
 */
function HoursChart({ endpoint, className }: HoursChartProps) {
  const { recent } = endpoint;
  const { deliveredCount, failedCount, waitingCount } = computeStatistics(recent);
  const waitingClass = getEndpointState(endpoint) === "failing" ? "bg-danger/75" : "bg-text-3";
  return (
    <span
      role="img"
      aria-label={t("chart", { delivered: deliveredCount, failed: failedCount, waiting: waitingCount })}
      className={classNames("flex items-end gap-0.5 opacity-80", className)}
    >
      {computeBars(recent).map((bar) => (
        <span key={bar.hour} className="flex h-full min-w-0 flex-1 flex-col justify-end overflow-hidden rounded-[1px]">
          {bar.deliveredPercent + bar.failedPercent + bar.waitingPercent === 0 && <span className="h-0.5 bg-line-strong" />}
          <span className={waitingClass} style={{ height: `${bar.waitingPercent}%` }} />
          <span className="bg-danger" style={{ height: `${bar.failedPercent}%` }} />
          <span className="bg-ok" style={{ height: `${bar.deliveredPercent}%` }} />
        </span>
      ))}
    </span>
  );
}
