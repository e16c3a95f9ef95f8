import { History, Play } from "lucide-react";
import { useState } from "react";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { useMembers } from "../../../queries/members/use-members.ts";
import { describeError } from "../../../queries/problems.ts";
import { useUpdateEndpoint } from "../../../queries/webhooks/use-endpoints.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { getEndpointState } from "../model/endpoint-state.ts";
import { formatSince } from "../model/words.ts";
import { RecoverDialog } from "./RecoverDialog.tsx";

/** Explains why nothing is sent, and offers to recover held deliveries. */
export function EndpointNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [recovering, setRecovering] = useState(false);
  return (
    <>
      {(!endpoint.enabled || endpoint.held_count > 0) && <StatusNotice endpoint={endpoint} onRecover={() => setRecovering(true)} />}
      {/* Rendered separately, because the dialog still shows its result when nothing is held anymore. */}
      {recovering && <RecoverDialog endpoint={endpoint} onClose={() => setRecovering(false)} />}
    </>
  );
}

function StatusNotice({ endpoint, onRecover }: { endpoint: WebhookEndpoint; onRecover(): void }) {
  const disabledBy = useMembers().data?.find(({ id }) => id === endpoint.disabled_by_account_id)?.username;
  const update = useUpdateEndpoint();
  const state = getEndpointState(endpoint);
  const heldCount = endpoint.held_count;
  const when = formatSince(endpoint.disabled_at ?? endpoint.created_at);
  const [title, help] =
    state === "gone"
      ? [t("disabledGoneTitle", { when }), t("disabledGoneHelp")]
      : state === "given-up"
        ? [t("disabledFailingTitle", { when }), t("disabledFailingHelp")]
        : state === "paused"
          ? [disabledBy ? t("pausedByTitle", { name: disabledBy }) : t("pausedTitle"), t("pausedHelp")]
          : [t("resumedHeld", { count: heldCount }), null];
  return (
    <Notice tone={state === "gone" || state === "given-up" ? "danger" : "info"} title={title}>
      {help && <p>{help}</p>}
      {!endpoint.enabled && heldCount > 0 && <p className="tabular">{t("heldEvents", { count: heldCount })}.</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        {!endpoint.enabled && (
          <Button size="sm" pending={update.isPending} onClick={() => update.mutate({ id: endpoint.id, enabled: true })}>
            <Play size={14} aria-hidden />
            {t("resume")}
          </Button>
        )}
        {endpoint.enabled && (
          <Button size="sm" onClick={onRecover}>
            <History size={14} aria-hidden />
            {t("sendHeld")}
          </Button>
        )}
      </div>
      {update.error && <p className="mt-2 text-danger">{describeError(update.error).title}</p>}
    </Notice>
  );
}
