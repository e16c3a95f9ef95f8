import { Plus, Webhook } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Outlet, useParams, useSearchParams } from "react-router";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../contract/webhook-events.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { TokenDialog } from "../../components/TokenNotice.tsx";
import { classNames } from "../../lib/class-names.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t as tConnect } from "../../lib/texts/connect.ts";
import { t } from "../../lib/texts/webhooks.ts";
import { useSeenNotifications } from "../../queries/notifications/use-notifications.ts";
import { useCan } from "../../queries/permissions.ts";
import { useEndpoints, useHasWebhookScope } from "../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { CreateEndpointDialog } from "./endpoints/EndpointDialogs.tsx";
import { EndpointList } from "./endpoints/EndpointList.tsx";
import { ExamplePayload, Payload } from "./ExamplePayload.tsx";
import { NEW_ENDPOINT, withParam } from "./page-urls.ts";

/** Renders the organization's endpoints and the open one, side by side or stacked where the view is narrow. */
export function WebhooksView() {
  const canManage = useCan("webhook.manage");
  const hasScope = useHasWebhookScope();
  useSeenNotifications({ kinds: ["webhook_disabled"] });
  if (canManage && !hasScope) return <MissingScope />;
  if (canManage) return <Webhooks />;
  return (
    <EmptyState icon={<Webhook size={22} aria-hidden />} title={t("adminsOnly")}>
      {t("adminsOnlyHelp")}
    </EmptyState>
  );
}

/** Prompts for another token that may manage webhooks. */
function MissingScope() {
  const [isEntering, setIsEntering] = useState(false);
  return (
    <EmptyState
      icon={<Webhook size={22} aria-hidden />}
      title={t("missingScope")}
      actions={<Button onClick={() => setIsEntering(true)}>{tConnect("enterAnother")}</Button>}
    >
      {t("missingScopeHelp")}
      {isEntering && <TokenDialog onClose={() => setIsEntering(false)} />}
    </EmptyState>
  );
}

function Webhooks() {
  const endpoints = useEndpoints();
  const { endpointId } = useParams();
  const [search, setSearch] = useSearchParams();
  const isCreating = search.get(NEW_ENDPOINT.name) === NEW_ENDPOINT.value;
  const setNewEndpointParam = (value: string | null) => setSearch((current) => withParam(current, NEW_ENDPOINT.name, value), { replace: value === null });
  useRestoreCardFocus(endpointId);

  return (
    <div className="@container/webhooks h-full">
      <PageTitle text={`${t("title")} · ${tCommon("brand")}`} />
      {endpoints.isPending && <WebhooksSkeleton />}
      {endpoints.isError && !endpoints.data && (
        <div className="mx-auto max-w-190 p-4 tablet:p-6">
          <LoadError error={endpoints.error} retry={() => void endpoints.refetch()} />
        </div>
      )}
      {endpoints.data?.length === 0 && <NoEndpoints onCreate={() => setNewEndpointParam(NEW_ENDPOINT.value)} />}
      {endpoints.data && endpoints.data.length > 0 && (
        <div className="h-full @min-[880px]/webhooks:grid @min-[880px]/webhooks:grid-cols-[clamp(300px,35%,440px)_minmax(0,1fr)]">
          <div
            className={classNames(
              "h-full overflow-y-auto @min-[880px]/webhooks:border-r @min-[880px]/webhooks:border-line @min-[880px]/webhooks:bg-bg",
              endpointId && "hidden @min-[880px]/webhooks:block",
            )}
          >
            <EndpointList endpoints={endpoints.data} current={Number(endpointId)} onCreate={() => setNewEndpointParam(NEW_ENDPOINT.value)} />
          </div>
          <div className={classNames("@container/pane h-full overflow-y-auto", !endpointId && "hidden @min-[880px]/webhooks:block")}>
            <Outlet />
          </div>
        </div>
      )}
      {isCreating && <CreateEndpointDialog onClose={() => setNewEndpointParam(null)} />}
    </div>
  );
}

/** Focuses an endpoint's card after the endpoint closes, for layouts that show only one pane. */
function useRestoreCardFocus(endpointId: string | undefined): void {
  const previousId = useRef(endpointId);
  useEffect(() => {
    if (previousId.current !== undefined && endpointId === undefined) document.getElementById(`endpoint-${previousId.current}`)?.focus();
    previousId.current = endpointId;
  }, [endpointId]);
}

/** Lists the event types beside the endpoint list while no endpoint is open. */
export function CatalogPage() {
  return (
    <section aria-labelledby="catalog" className="mx-auto max-w-190 p-4 @min-[640px]/pane:p-6">
      <h2 id="catalog" className="text-lg font-semibold">
        {t("catalogTitle")}
      </h2>
      <p className="mb-4 text-text-2">
        {t("catalogHelp")} {t("chooseEndpoint")}
      </p>
      <EventTypes />
    </section>
  );
}

/** Lists each event type with its trigger and an example payload. */
function EventTypes() {
  return (
    <ul className="rounded-lg border border-line px-4 dark:bg-bg/40">
      {WEBHOOK_EVENT_TYPES.map((type) => (
        <li key={type} className="border-b border-line py-3 last:border-0">
          <p className="font-medium">{type}</p>
          <p className="text-text-2">{WEBHOOK_EVENTS[type].description}</p>
          <ExamplePayload type={type} />
        </li>
      ))}
    </ul>
  );
}

/** Explains webhooks with an example while no endpoint exists. */
function NoEndpoints({ onCreate }: { onCreate(): void }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-160 flex-col items-start gap-4 px-4 py-8 tablet:px-6">
        <div className="flex size-12 items-center justify-center rounded-lg border border-line bg-raised text-text-2">
          <Webhook size={22} aria-hidden />
        </div>
        <div>
          <h2 className="text-lg font-semibold">{t("emptyTitle")}</h2>
          <p className="mt-1.5 text-text-2">{t("emptyHelp")}</p>
        </div>
        <Button icon={Plus} variant="primary" onClick={onCreate}>
          {t("newEndpoint")}
        </Button>
        <figure className="w-full">
          <figcaption className="mb-1.5 text-sm text-text-3">{t("emptyExample")}</figcaption>
          <Payload type="file.status_changed" />
        </figure>
      </div>
    </div>
  );
}

/** Renders the placeholder of the endpoint list in its final layout. */
function WebhooksSkeleton() {
  return (
    <div aria-hidden className="h-full @min-[880px]/webhooks:grid @min-[880px]/webhooks:grid-cols-[clamp(300px,35%,440px)_minmax(0,1fr)]">
      <div className="mx-auto w-full max-w-160 p-4 @min-[880px]/webhooks:border-r @min-[880px]/webhooks:border-line @min-[880px]/webhooks:bg-bg">
        <div className="mb-3 flex h-8 items-center justify-between">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-8 w-36 rounded-md" />
        </div>
        {[0, 1].map((index) => (
          <div key={index} className="mb-2 flex h-31 flex-col gap-2.5 rounded-lg border border-line bg-surface p-3.5">
            <Skeleton className="h-3.5 w-48" />
            <Skeleton className="h-3 w-36" />
            <Skeleton className="mt-1 h-7" />
          </div>
        ))}
      </div>
    </div>
  );
}
