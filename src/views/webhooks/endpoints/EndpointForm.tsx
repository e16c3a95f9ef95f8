/** The form of a new or existing endpoint, in a dialog. */
import { createWebhookEndpoint as operation } from "../../../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../../contract/webhook-events.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { useForm } from "../../../components/use-form.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { isUnconfirmed } from "../../../queries/describe-error.ts";
import {
  type DocumentedEndpoint,
  useCreateDocumentedEndpoint,
  useCreateEndpoint,
  useHasEndpointProjects,
  useUpdateEndpoint,
} from "../../../queries/webhooks/use-webhooks.ts";
import { CheckField, FieldGroup, TextArea } from "../../../ui/Field.tsx";
import { ExamplePayload } from "../ExamplePayload.tsx";
import { ProjectsField } from "./ProjectsField.tsx";
import { findUrlIssue } from "./url-validation.ts";
import { ISSUE_LABELS, UrlField, useUrlPolicy } from "./UrlField.tsx";

interface EndpointDraft {
  url: string;
  event_types: string[];
  description: string;
  /** null: every project. Undefined: endpoints of the service cannot be limited. */
  project_ids: number[] | null | undefined;
}
const NEW_DRAFT: EndpointDraft = { url: "", event_types: ["file.status_changed"], description: "", project_ids: undefined };

type CreatedEndpoint = Awaited<ReturnType<ReturnType<typeof useCreateEndpoint>["mutateAsync"]>>;

export function NewEndpointForm({ onDone, onClose }: { onDone(endpoint: CreatedEndpoint): void; onClose(): void }) {
  const draft: EndpointDraft = { ...NEW_DRAFT, project_ids: useHasEndpointProjects() ? null : undefined };
  const form = useForm(useCreateEndpoint(), operation.body, draft);
  return <EndpointForm title={t("newEndpoint")} submitLabel={t("create")} {...{ form, onDone, onClose }} />;
}

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const { id, url, event_types, description, project_ids } = endpoint;
  const update = useUpdateEndpoint();
  const form = useForm({ ...update, mutateAsync: (draft: EndpointDraft) => update.mutateAsync({ id, ...draft }) }, operation.body, {
    url,
    event_types,
    description,
    project_ids,
  });
  return <EndpointForm title={t("editTitle")} submitLabel={tCommon("save")} initialProjects={project_ids ?? []} onDone={onClose} {...{ form, onClose }} />;
}

/** The form for a service that has only the operations of the service document, which name no description. */
export function DocumentedEndpointForm({ onDone, onClose }: { onDone(created: DocumentedEndpoint): void; onClose(): void }) {
  const create = useCreateDocumentedEndpoint();
  const form = useForm(create, operation.body, NEW_DRAFT);
  // The service knows no idempotency key and lists no endpoints.
  const problem = form.problem && isUnconfirmed(create.error) ? { title: form.problem.title, help: t("maybeCreated") } : form.problem;
  return <EndpointForm title={t("newEndpoint")} submitLabel={t("create")} isDocumentedOnly form={{ ...form, problem }} {...{ onDone, onClose }} />;
}

interface EndpointFormProps<A> {
  title: string;
  submitLabel: string;
  form: ReturnType<typeof useForm<EndpointDraft, EndpointDraft, A>>;
  isDocumentedOnly?: boolean;
  initialProjects?: readonly number[];
  onDone(endpoint: A): void;
  onClose(): void;
}

function EndpointForm<A>({ isDocumentedOnly = false, initialProjects = [], ...props }: EndpointFormProps<A>) {
  const { form } = props;
  const policy = useUrlPolicy();
  const { event_types, project_ids } = form.values;
  const url = form.values.url.trim();
  const urlIssue = url === "" ? null : findUrlIssue(url, policy);
  const extraErrors = [
    ...(urlIssue ? [{ path: "url", message: t(ISSUE_LABELS[urlIssue]) }] : []),
    ...(event_types.length === 0 ? [{ path: "event_types", message: t("typesNeeded") }] : []),
  ];
  const toggle = (type: string, isSelected: boolean) =>
    form.setValues({ event_types: WEBHOOK_EVENT_TYPES.filter((known) => (known === type ? isSelected : event_types.includes(known))) });
  const projectsError = form.errorOf("project_ids", t("projects"));
  const urlField = form.field("url", t("url"));
  const changeUrl = (value: string) => {
    // What the service said about another URL no longer holds.
    if (urlField.error) form.clearErrors();
    urlField.onChange(value);
  };
  return (
    <FormDialog {...props} width="lg" body={{ ...form.values, url }} extraErrors={extraErrors}>
      <UrlField {...urlField} onChange={changeUrl} />
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
      {project_ids !== undefined && (
        <ProjectsField
          value={project_ids}
          initial={initialProjects}
          // The service refuses an empty list; null stands for every project.
          error={projectsError && project_ids?.length === 0 ? t("projectsNeeded") : projectsError}
          onChange={(next) => form.setValues({ project_ids: next && [...next] })}
        />
      )}
      {!isDocumentedOnly && <TextArea {...form.field("description", t("description"))} hint={t("descriptionHint")} maxLength={500} />}
    </FormDialog>
  );
}
