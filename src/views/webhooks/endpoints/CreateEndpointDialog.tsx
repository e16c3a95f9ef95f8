import { useState } from "react";
import { useNavigate } from "react-router";
import { createWebhookEndpoint as operation } from "../../../../contract/operations/webhooks.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { FormProblem } from "../../../components/ErrorNotice.tsx";
import { SecretDialog } from "../../../components/SecretDialog.tsx";
import { t } from "../../../lib/texts/webhooks.ts";
import { useForm } from "../../../queries/use-form.ts";
import { useCreateEndpoint } from "../../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { endpointPath } from "../page-urls.ts";
import { ENDPOINT_FIELDS, EndpointFields, useDraftIssues, useEndpointDraft } from "./EndpointFields.tsx";
import { SendTestPanel } from "./SendTestPanel.tsx";

type CreatedEndpoint = WebhookEndpoint & { secret?: string | undefined };

/** Creates an endpoint, shows its secret once, and offers to send a test event. */
export function CreateEndpointDialog({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<CreatedEndpoint | null>(null);
  return created ? <SecretStep endpoint={created} /> : <FormStep onClose={onClose} onCreated={setCreated} />;
}

function FormStep({ onClose, onCreated }: { onClose(): void; onCreated(endpoint: CreatedEndpoint): void }) {
  const [draft, updateDraft] = useEndpointDraft();
  const findIssues = useDraftIssues();
  const form = useForm(useCreateEndpoint(), operation.body, ENDPOINT_FIELDS);
  return (
    <Dialog title={t("newEndpoint")} closeLabel={t("close")} onClose={onClose} width="lg">
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const endpoint = await form.submit(event, { ...draft, url: draft.url.trim() }, findIssues(draft));
          if (endpoint) onCreated(endpoint);
        }}
      >
        <FormProblem problem={form.problem} />
        <EndpointFields draft={draft} onChange={updateDraft} errorOf={form.errorOf} />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("create")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function SecretStep({ endpoint }: { endpoint: CreatedEndpoint }) {
  const navigate = useNavigate();
  const openEndpoint = () => void navigate(endpointPath(endpoint.id));
  return (
    <SecretDialog
      title={t("secretTitle")}
      description={t("secretHelp")}
      label={t("secretLabel")}
      secret={endpoint.secret}
      hiddenText={t("secretHidden")}
      nextLabel={t("toEndpoint")}
      width="lg"
      onClose={openEndpoint}
    >
      <SendTestPanel endpoint={endpoint} />
    </SecretDialog>
  );
}
