import { ChevronRight } from "lucide-react";
import { WEBHOOK_EVENTS, type WebhookEventType } from "../../../contract/webhook-events.ts";
import { t } from "../../lib/texts/webhooks.ts";
import { CodeBlock } from "../../ui/copy.tsx";

/** Shows an example payload, collapsed by default. */
export function ExamplePayload({ type }: { type: string }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-sm text-sm text-text-2 hover:text-text">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
        {t("example")}
        <span className="sr-only">: {type}</span>
      </summary>
      <Payload type={type} className="mt-1" />
    </details>
  );
}

export const Payload = ({ type, className = "" }: { type: string; className?: string }) => (
  <CodeBlock label={t("exampleOf", { type })} text={JSON.stringify(buildExampleEvent(type), null, 2)} className={className} />
);

const EXAMPLE_ID = "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42";

export const isKnownType = (type: string): type is WebhookEventType => Object.hasOwn(WEBHOOK_EVENTS, type);

/** Returns an example body with its members in the order in which the service sends them. */
export const buildExampleEvent = (type: string): Record<string, unknown> => ({
  object: "event",
  id: EXAMPLE_ID,
  type,
  data: isKnownType(type) ? WEBHOOK_EVENTS[type].example : {},
});
