import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../../contract/webhook-events.ts";
import { ExamplePayload } from "./ExamplePayload.tsx";

/** Lists each event type with its trigger and an example payload. */
export function EventTypes() {
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
