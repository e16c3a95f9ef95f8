import { Webhook } from "lucide-react";
import { useEffect, useRef } from "react";
import { Outlet, useParams, useSearchParams } from "react-router";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/webhooks.ts";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { usePermissions } from "../../queries/session/use-rights.ts";
import { useEndpoints } from "../../queries/webhooks/use-endpoints.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageTitle } from "../../parts/page-title/PageTitle.tsx";
import { CreateDialog } from "./components/CreateDialog.tsx";
import { EndpointList } from "./components/EndpointList.tsx";
import { NoEndpoints } from "./components/NoEndpoints.tsx";
import { WebhooksSkeleton } from "./components/WebhooksSkeleton.tsx";
import { NEW_ENDPOINT, withParam } from "./model/address.ts";

/** Renders the organization's endpoints and the open one, side by side or stacked where the view is narrow. */
export function WebhooksView() {
  const rights = usePermissions();
  if (rights.canManageWebhooks) return <Webhooks />;
  return (
    <EmptyState icon={<Webhook size={22} aria-hidden />} title={t("adminsOnly")}>
      {t("adminsOnlyHelp")}
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
      <PageTitle text={`${t("title")} · ${t("brand")}`} />
      {endpoints.isPending && <WebhooksSkeleton />}
      {endpoints.isError && !endpoints.data && (
        <div className="mx-auto max-w-190 p-4 tablet:p-6">
          <LoadError error={endpoints.error} retry={() => void endpoints.refetch()} />
        </div>
      )}
      {endpoints.data?.length === 0 && <NoEndpoints onCreate={() => setNewEndpointParam(NEW_ENDPOINT.value)} />}
      {endpoints.data && endpoints.data.length > 0 && (
        <div className="h-full @min-[880px]/webhooks:grid @min-[880px]/webhooks:grid-cols-[minmax(300px,35%)_minmax(0,1fr)]">
          <div
            className={classes(
              "h-full overflow-y-auto @min-[880px]/webhooks:border-r @min-[880px]/webhooks:border-line @min-[880px]/webhooks:bg-bg",
              endpointId && "hidden @min-[880px]/webhooks:block",
            )}
          >
            <EndpointList endpoints={endpoints.data} current={Number(endpointId)} onCreate={() => setNewEndpointParam(NEW_ENDPOINT.value)} />
          </div>
          <div className={classes("@container/pane h-full overflow-y-auto", !endpointId && "hidden @min-[880px]/webhooks:block")}>
            <Outlet />
          </div>
        </div>
      )}
      {isCreating && <CreateDialog onClose={() => setNewEndpointParam(null)} />}
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
