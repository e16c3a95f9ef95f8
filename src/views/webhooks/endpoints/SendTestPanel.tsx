import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../../../contract/webhook-events.ts";
import type { DeliveryWithAttempts, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { formatUrl } from "../../../lib/format.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useSendTest } from "../../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/copy.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Select } from "../../../ui/Select.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { explainOutcome, responseText } from "../deliveries/attempt.ts";
import { isKnownType } from "../ExamplePayload.tsx";
import { formatDuration } from "../states.ts";
import { deliveryPath } from "../page-urls.ts";

/** Sends a test event and shows the response at once; `onOpenLog` is called when the user follows the link to the log. */
export function SendTestPanel({ endpoint, onOpenLog }: { endpoint: WebhookEndpoint; onOpenLog?(): void }) {
  const send = useSendTest();
  const [type, setType] = useState<WebhookEventType>(endpoint.event_types.find(isKnownType) ?? "file.status_changed");
  return (
    <section aria-label={t("testTitle")} className="flex flex-col gap-3">
      <p className="text-text-2">{t("testHelp", { name: formatUrl(endpoint.url) })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <span aria-hidden className="text-sm font-medium">
          {t("testType")}
        </span>
        <Select compact label={t("testType")} value={type} options={WEBHOOK_EVENT_TYPES.map((eventType) => [eventType, eventType])} onChange={setType} />
        <Button icon={FlaskConical} pending={send.isPending} onClick={() => send.mutate({ id: endpoint.id, type })}>
          {send.data || send.error ? t("testAgain") : t("sendTest")}
        </Button>
      </div>
      {send.isPending && (
        <p role="status" className="text-text-2">
          {t("testWaiting")}
        </p>
      )}
      {!send.isPending && <ErrorNotice error={send.error} />}
      {send.data && !send.isPending && <TestResult delivery={send.data} onOpenLog={onOpenLog} />}
    </section>
  );
}

function TestResult({ delivery, onOpenLog }: { delivery: DeliveryWithAttempts; onOpenLog: (() => void) | undefined }) {
  const [attempt] = delivery.attempts;
  const explanation = attempt && explainOutcome(attempt, false);
  const logLink = (
    <Link to={deliveryPath(delivery.endpoint_id, delivery.id)} onClick={onOpenLog} className="rounded-sm text-link hover:underline">
      {t("viewInLog")}
    </Link>
  );
  if (!attempt || !explanation) {
    return (
      <Notice tone="info">
        {t("testRunning")} {logLink}
      </Notice>
    );
  }
  return (
    <>
      <Notice tone={attempt.outcome === "ok" ? "ok" : "danger"} title={explanation.summary}>
        {explanation.advice && <p>{explanation.advice}</p>}
        <p>
          <span className="tabular">{formatDuration(attempt.duration_ms)}</span> · {logLink}
        </p>
      </Notice>
      {attempt.status !== null && <CodeBlock label={t("testResponse")} text={responseText(attempt)} wrap />}
    </>
  );
}

export function SendTestDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  return (
    <Dialog title={t("testTitle")} onClose={onClose} width="lg">
      <SendTestPanel endpoint={endpoint} onOpenLog={onClose} />
      <DialogActions>
        <Button onClick={onClose}>{tCommon("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}
