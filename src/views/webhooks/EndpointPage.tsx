import { useEffect, useRef } from "react";
import { useLocation, useParams } from "react-router";
import { Unplug } from "lucide-react";
import { t } from "../../lib/messages/webhooks.ts";
import { formatUrl } from "../../lib/url-name.ts";
import { useEndpoints } from "../../queries/webhooks/use-endpoints.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageTitle } from "../../parts/page-title/PageTitle.tsx";
import { Deliveries } from "./components/Deliveries.tsx";
import { EndpointFacts } from "./components/EndpointFacts.tsx";
import { EndpointHeader } from "./components/EndpointHead.tsx";
import { EndpointNotice } from "./components/EndpointNotice.tsx";
import { BackLink } from "./components/BackLink.tsx";

/** Renders an endpoint with its delivery log; `deliveryId` in the URL opens a delivery in the log. */
export function EndpointPage() {
  const { endpointId, deliveryId } = useParams();
  const endpoint = useEndpoints().data?.find(({ id }) => id === Number(endpointId));
  const heading = useFocusOnEndpointChange(endpointId);
  if (!endpoint) {
    return (
      <div className="p-4">
        <BackLink />
        <EmptyState icon={<Unplug size={22} aria-hidden />} title={t("missingEndpoint")}>
          {t("missingEndpointHelp")}
        </EmptyState>
      </div>
    );
  }
  return (
    <article aria-label={formatUrl(endpoint.url)} className="flex flex-col gap-4 p-4 @min-[640px]/pane:p-5">
      <PageTitle text={`${formatUrl(endpoint.url)} · ${t("title")} · ${t("brand")}`} />
      <BackLink />
      <EndpointHeader key={`head-${endpoint.id}`} endpoint={endpoint} heading={heading} />
      <EndpointNotice key={`notice-${endpoint.id}`} endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      <Deliveries key={endpoint.id} endpoint={endpoint} openId={deliveryId === undefined ? null : Number(deliveryId)} />
    </article>
  );
}

/** Focuses the heading when another endpoint opens, but not the one the page was loaded with. */
function useFocusOnEndpointChange(endpointId: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isInitialLoad = useLocation().key === "default";
  const focusedId = useRef(isInitialLoad ? endpointId : undefined);
  useEffect(() => {
    if (focusedId.current === endpointId) return;
    focusedId.current = endpointId;
    if (!document.querySelector("dialog[open]")) heading.current?.focus({ preventScroll: true });
  }, [endpointId]);
  return heading;
}
