import { useState } from "react";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../../contract/webhook-events.ts";
import { WEBHOOK_FEATURES } from "../../../../contract/webhook-features.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { formatFieldError } from "../../../queries/describe-error.ts";
import { useService } from "../../../queries/service.ts";
import { CheckField, TextArea, TextField } from "../../../ui/Field.tsx";
import { ExamplePayload } from "../ExamplePayload.tsx";
import { findUrlIssue, isIncomplete, type UrlIssue, type UrlPolicy } from "./url-validation.ts";

const ISSUE_LABELS = {
  scheme: "urlScheme",
  credentials: "urlCredentials",
  fragment: "urlFragment",
  tooLong: "urlTooLong",
  malformed: "urlMalformed",
  private: "urlPrivate",
} as const satisfies Record<UrlIssue, string>;

interface EndpointDraft {
  url: string;
  event_types: string[];
  description: string;
}

/** Fields that show their own errors; all other errors appear above the form. */
export const ENDPOINT_FIELDS = ["url", "event_types", "description"] as const satisfies readonly (keyof EndpointDraft)[];

interface EndpointFieldsProps {
  draft: EndpointDraft;
  onChange(change: Partial<EndpointDraft>): void;
  errorOf(path: string, label: string): string | undefined;
}

/** Renders the form fields for creating or editing an endpoint. */
export function EndpointFields({ draft, onChange, errorOf }: EndpointFieldsProps) {
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

/** Returns the form's draft and its setter, initialized from an endpoint or with the defaults of a new one. */
export function useEndpointDraft(endpoint?: WebhookEndpoint): [EndpointDraft, (change: Partial<EndpointDraft>) => void] {
  const [draft, setDraft] = useState<EndpointDraft>(() => ({
    url: endpoint?.url ?? "",
    event_types: endpoint?.event_types ?? ["file.status_changed"],
    description: endpoint?.description ?? "",
  }));
  return [draft, (change) => setDraft((previous) => ({ ...previous, ...change }))];
}

interface UrlFieldProps {
  value: string;
  onChange(url: string): void;
  /** The error found by the service or on submit. */
  error: string | undefined;
}

/** Edits an endpoint's URL and validates it while typing. */
function UrlField({ value, onChange, error }: UrlFieldProps) {
  const policy = useUrlPolicy();
  const text = value.trim();
  const issue = text === "" || isIncomplete(text) ? null : findUrlIssue(text, policy);
  const issueText = issue ? formatFieldError(t("url"), urlIssueLabel(issue)) : undefined;
  const isValid = text !== "" && !isIncomplete(text) && !issue;
  return (
    <TextField
      label={t("url")}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      autoFocus
      required
      placeholder="https://"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={issueText ?? error}
      hint={isValid ? <span className="text-ok">{t("urlValid")}</span> : policy.isLocalAllowed ? t("urlHintLocal") : t("urlHint")}
    />
  );
}

/** Returns a function that finds the issues of a draft that the operation's schema does not cover. */
export function useDraftIssues(): (draft: EndpointDraft) => { path: string; message: string }[] {
  const policy = useUrlPolicy();
  return ({ url, event_types }) => {
    const issue = url.trim() === "" ? null : findUrlIssue(url.trim(), policy);
    return [
      ...(issue ? [{ path: "url", message: urlIssueLabel(issue) }] : []),
      ...(event_types.length === 0 ? [{ path: "event_types", message: t("typesNeeded") }] : []),
    ];
  };
}

/** Returns the URLs the operator allows besides public HTTPS ones; allows all until this is known, so that no valid URL is rejected. */
function useUrlPolicy(): UrlPolicy {
  const features = useService().data?.features;
  return {
    isHttpAllowed: features?.includes(WEBHOOK_FEATURES.http) ?? true,
    isLocalAllowed: features?.includes(WEBHOOK_FEATURES.local) ?? true,
  };
}

/** Describes a URL issue as the second half of a sentence. */
const urlIssueLabel = (issue: UrlIssue) => t(ISSUE_LABELS[issue]);
