/** The form of a new or existing endpoint, in a dialog. */
import { createWebhookEndpoint as operation } from "../../../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../../contract/webhook-events.ts";
import { WEBHOOK_FEATURES } from "../../../../contract/webhook-features.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { useForm } from "../../../components/use-form.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { formatFieldError, isUnconfirmed } from "../../../queries/describe-error.ts";
import { useService } from "../../../queries/service.ts";
import { type DocumentedEndpoint, useCreateDocumentedEndpoint, useCreateEndpoint, useUpdateEndpoint } from "../../../queries/webhooks/use-webhooks.ts";
import { CheckField, FieldGroup, type FieldProps, TextArea, TextField } from "../../../ui/Field.tsx";
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

type CreatedEndpoint = Awaited<ReturnType<ReturnType<typeof useCreateEndpoint>["mutateAsync"]>>;

export function NewEndpointForm({ onDone, onClose }: { onDone(endpoint: CreatedEndpoint): void; onClose(): void }) {
  const form = useForm(useCreateEndpoint(), operation.body, { url: "", event_types: ["file.status_changed"], description: "" });
  return <EndpointForm title={t("newEndpoint")} submitLabel={t("create")} {...{ form, onDone, onClose }} />;
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const { id, url, event_types, description } = endpoint;
  const update = useUpdateEndpoint();
  const form = useForm({ ...update, mutateAsync: (draft: EndpointDraft) => update.mutateAsync({ id, ...draft }) }, operation.body, {
    url,
    event_types,
    description,
  });
  return <EndpointForm title={t("editTitle")} submitLabel={tCommon("save")} onDone={onClose} {...{ form, onClose }} />;
}

/** The form for a service that has only the operations of the service document, which name no description. */
export function DocumentedEndpointForm({ onDone, onClose }: { onDone(created: DocumentedEndpoint): void; onClose(): void }) {
  const create = useCreateDocumentedEndpoint();
  const form = useForm(create, operation.body, { url: "", event_types: ["file.status_changed"], description: "" });
  // The service knows no idempotency key and lists no endpoints.
  const problem = form.problem && isUnconfirmed(create.error) ? { title: form.problem.title, help: t("maybeCreated") } : form.problem;
  return <EndpointForm title={t("newEndpoint")} submitLabel={t("create")} isDocumentedOnly form={{ ...form, problem }} {...{ onDone, onClose }} />;
}

interface EndpointFormProps<A> {
  title: string;
  submitLabel: string;
  form: ReturnType<typeof useForm<EndpointDraft, EndpointDraft, A>>;
  isDocumentedOnly?: boolean;
  onDone(endpoint: A): void;
  onClose(): void;
}

function EndpointForm<A>({ isDocumentedOnly = false, ...props }: EndpointFormProps<A>) {
  const { form } = props;
  const policy = useUrlPolicy();
  const { event_types } = form.values;
  const url = form.values.url.trim();
  const urlIssue = url === "" ? null : findUrlIssue(url, policy);
  const extraErrors = [
    ...(urlIssue ? [{ path: "url", message: t(ISSUE_LABELS[urlIssue]) }] : []),
    ...(event_types.length === 0 ? [{ path: "event_types", message: t("typesNeeded") }] : []),
  ];
  const toggle = (type: string, isSelected: boolean) =>
    form.setValues({ event_types: WEBHOOK_EVENT_TYPES.filter((known) => (known === type ? isSelected : event_types.includes(known))) });
  return (
    <FormDialog {...props} width="lg" body={{ ...form.values, url }} extraErrors={extraErrors}>
      <UrlField {...form.field("url", t("url"))} policy={policy} />
      <FieldGroup label={t("types")} error={form.errorOf("event_types", t("types"))}>
        <ul className="flex flex-col gap-2">
          {WEBHOOK_EVENT_TYPES.map((type) => (
            <li key={type}>
              <CheckField
                label={type}
                hint={WEBHOOK_EVENTS[type].description}
                checked={event_types.includes(type)}
                onChange={(isChecked) => toggle(type, isChecked)}
              />
              <div className="pl-6.5">
                <ExamplePayload type={type} />
              </div>
            </li>
          ))}
        </ul>
      </FieldGroup>
      {!isDocumentedOnly && <TextArea {...form.field("description", t("description"))} hint={t("descriptionHint")} maxLength={500} />}
    </FormDialog>
  );
}

/** Edits an endpoint's URL and validates it while typing. `error` was found by the service or on submit. */
function UrlField({ policy, error, ...field }: FieldProps<string> & { policy: UrlPolicy }) {
  const text = field.value.trim();
  const isComplete = text !== "" && !isIncomplete(text);
  const issue = isComplete ? findUrlIssue(text, policy) : null;
  return (
    <TextField
      {...field}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      autoFocus
      required
      placeholder="https://"
      error={issue ? formatFieldError(t("url"), t(ISSUE_LABELS[issue])) : error}
      hint={isComplete && !issue ? <span className="text-ok">{t("urlValid")}</span> : policy.isLocalAllowed ? t("urlHintLocal") : t("urlHint")}
    />
  );
}

/** Returns the URLs the operator allows besides public HTTPS ones; allows all until this is known, so that no valid URL is rejected. */
function useUrlPolicy(): UrlPolicy {
  const features = useService().data?.features;
  return {
    isHttpAllowed: features?.includes(WEBHOOK_FEATURES.http) ?? true,
    isLocalAllowed: features?.includes(WEBHOOK_FEATURES.local) ?? true,
  };
}
