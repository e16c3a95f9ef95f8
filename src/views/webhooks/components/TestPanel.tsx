import { FlaskConical } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../../../contract/webhook-events.ts";
import type { DeliveryWithAttempts, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { nameOfUrl } from "../../../lib/url-name.ts";
import { explain } from "../../../queries/problems.ts";
import { useSendTest } from "../../../queries/webhooks/use-endpoints.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/CodeBlock.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Select } from "../../../ui/Select.tsx";
import { deliveryPath } from "../model/address.ts";
import { isKnownType } from "../model/example.ts";
import { wordsOf } from "../model/outcome.ts";
import { answerText } from "../model/wire-text.ts";
import { formatDuration } from "../model/words.ts";

/** Sends an example and shows the answer at once. `onLeave`: the person follows the link to the log. */
export function TestPanel({ endpoint, onLeave }: { endpoint: WebhookEndpoint; onLeave?(): void }) {
  const id = useId();
  const send = useSendTest();
  const [type, setType] = useState<WebhookEventType>(endpoint.event_types.find(isKnownType) ?? "file.status_changed");
  return (
    <section aria-label={t("testTitle")} className="flex flex-col gap-3">
      <p className="text-text-2">{t("testHelp", { name: nameOfUrl(endpoint.url) })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {t("testType")}
        </label>
        <Select id={id} compact value={type} onChange={(event) => setType(event.target.value as WebhookEventType)}>
          {WEBHOOK_EVENT_TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
        <Button pending={send.isPending} onClick={() => send.mutate({ id: endpoint.id, type })}>
          <FlaskConical size={16} aria-hidden />
          {send.data || send.error ? t("testAgain") : t("sendTest")}
        </Button>
      </div>
      {send.isPending && (
        <p role="status" className="text-text-2">
          {t("testWaiting")}
        </p>
      )}
      {send.error && !send.isPending && <Notice title={explain(send.error).title}>{explain(send.error).help}</Notice>}
      {send.data && !send.isPending && <TestResult delivery={send.data} onLeave={onLeave} />}
    </section>
  );
}

function TestResult({ delivery, onLeave }: { delivery: DeliveryWithAttempts; onLeave: (() => void) | undefined }) {
  const [attempt] = delivery.attempts;
  const words = attempt && wordsOf(attempt, false);
  const log = (
    <Link to={deliveryPath(delivery.endpoint_id, delivery.id)} onClick={onLeave} className="rounded-sm text-link hover:underline">
      {t("testOpen")}
    </Link>
  );
  if (!attempt || !words) {
    return (
      <Notice tone="info">
        {t("testRunning")} {log}
      </Notice>
    );
  }
  return (
    <>
      <Notice tone={attempt.outcome === "ok" ? "ok" : "danger"} title={words.what}>
        {words.advice && <p>{words.advice}</p>}
        <p>
          <span className="tabular">{formatDuration(attempt.duration_ms)}</span> · {log}
        </p>
      </Notice>
      {attempt.status !== null && <CodeBlock label={t("testAnswer")} text={answerText(attempt)} copyLabel={t("copy")} copiedLabel={t("copied")} wrap />}
    </>
  );
}
