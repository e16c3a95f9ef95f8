import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { useClient } from "../../client/client.ts";
import { formatUrl } from "../../lib/format.ts";
import { t } from "../../lib/texts/shell.ts";
import { useEndpoints } from "../../queries/webhooks/use-webhooks.ts";
import { focusHeadingIfLost } from "../../ui/focus-heading.ts";
import { CloseButton } from "../../ui/IconButton.tsx";

/** The reasons for which the service itself disables an endpoint. */
const TEXT_KEYS = { failing: "webhookFailing", gone: "webhookGone", token_ended: "webhookTokenEnded" } as const;

/** Returns whether the service itself disabled the endpoint. */
const isDisabledByService = ({ enabled, disabled_reason }: WebhookEndpoint) => !enabled && Object.hasOwn(TEXT_KEYS, disabled_reason ?? "");

/** Warns people who manage webhooks, in every view, that the service has disabled an endpoint. */
export function WebhooksBanner() {
  const endpoints = useEndpoints().data;
  const [, setDismissed] = useState(0);
  const { serviceStorage } = useClient();
  /** Returns the name under which this browser stores when the endpoint whose notice was dismissed had been disabled. */
  const dismissedKey = ({ id }: WebhookEndpoint) => `webhook-off-${id}` as const;
  const endpoint = endpoints?.find((item) => isDisabledByService(item) && serviceStorage.get(dismissedKey(item)) !== item.disabled_at);
  if (!endpoint) return null;
  const name = formatUrl(endpoint.url);
  return (
    <section aria-label={t("webhooks")} className="flex min-h-8 shrink-0 items-center justify-center gap-2 bg-danger/15 px-4 py-1 text-sm">
      <TriangleAlert size={15} aria-hidden className="shrink-0 text-danger" />
      <p role="status" className="line-clamp-2 min-w-0 text-xs wrap-anywhere tablet:line-clamp-none tablet:text-sm">
        {t(TEXT_KEYS[endpoint.disabled_reason as keyof typeof TEXT_KEYS], { name })}
      </p>
      <Link to={`/settings/webhooks/${endpoint.id}`} className="shrink-0 rounded-sm font-semibold underline underline-offset-2">
        {t("viewWebhook")}
      </Link>
      <CloseButton
        label={t("dismiss")}
        className="size-7"
        onClick={() => {
          serviceStorage.set(dismissedKey(endpoint), endpoint.disabled_at);
          setDismissed((count) => count + 1);
          focusHeadingIfLost();
        }}
      />
    </section>
  );
}
