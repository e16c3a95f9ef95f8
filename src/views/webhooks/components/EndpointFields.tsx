import { useState } from "react";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../../contract/webhook-events.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { CheckField, TextArea } from "../../../ui/Field.tsx";
import { ExamplePayload } from "./ExamplePayload.tsx";
import { UrlField } from "./UrlField.tsx";

export interface EndpointDraft {
  url: string;
  event_types: string[];
  description: string;
}

/** Returns the form's draft and its setter, initialized from an endpoint or with the defaults of a new one. */
export function useEndpointDraft(endpoint?: WebhookEndpoint): [EndpointDraft, (change: Partial<EndpointDraft>) => void] {
  const [draft, setDraft] = useState<EndpointDraft>(() => ({
    url: endpoint?.url ?? "",
    event_types: endpoint?.event_types ?? ["file.status_changed"],
    description: endpoint?.description ?? "",
  }));
  return [draft, (change) => setDraft((previous) => ({ ...previous, ...change }))];
}

interface Props {
  draft: EndpointDraft;
  onChange(change: Partial<EndpointDraft>): void;
  errorOf(path: string, label: string): string | undefined;
}

/** Renders the form fields for creating or editing an endpoint. */
export function EndpointFields({ draft, onChange, errorOf }: Props) {
  const typesError = errorOf("event_types", t("types"));
  const toggle = (type: string, checked: boolean) =>
    onChange({ event_types: WEBHOOK_EVENT_TYPES.filter((eventType) => (eventType === type ? checked : draft.event_types.includes(eventType))) });
  return (
    <>
      <UrlField value={draft.url} onChange={(url) => onChange({ url })} error={errorOf("url", t("url"))} />
      <fieldset className="min-w-0" aria-describedby={typesError ? "types-error" : undefined}>
        <legend className="mb-1.5 text-sm font-medium">{t("types")}</legend>
        <ul className="flex flex-col gap-2">
          {WEBHOOK_EVENT_TYPES.map((type) => (
            <li key={type}>
              <CheckField
                label={type}
                hint={WEBHOOK_EVENTS[type].description}
                checked={draft.event_types.includes(type)}
                onChange={(event) => toggle(type, event.target.checked)}
              />
              <div className="pl-6.5">
                <ExamplePayload type={type} />
              </div>
            </li>
          ))}
        </ul>
        {typesError && (
          <p id="types-error" role="alert" className="mt-1 text-sm text-danger">
            {typesError}
          </p>
        )}
      </fieldset>
      <TextArea
        label={t("description")}
        hint={t("descriptionHint")}
        maxLength={500}
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
        error={errorOf("description", t("description"))}
      />
    </>
  );
}
