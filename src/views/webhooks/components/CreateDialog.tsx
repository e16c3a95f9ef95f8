import { useState } from "react";
import { useNavigate } from "react-router";
import { createWebhookEndpoint as operation } from "../../../../contract/operations/webhooks.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { useForm } from "../../../queries/use-form.ts";
import { useCreateEndpoint } from "../../../queries/webhooks/use-endpoints.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyField } from "../../../ui/CopyField.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { endpointPath } from "../model/address.ts";
import { EndpointFields, useDraft } from "./EndpointFields.tsx";
import { TestPanel } from "./TestPanel.tsx";
import { useDraftFaults } from "./use-draft-faults.ts";

type Created = WebhookEndpoint & { secret?: string | undefined };

/** Creates an endpoint, shows its secret once, and lets its receiver be tried at once. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<Created | null>(null);
  return created ? <SecretStep endpoint={created} /> : <FormStep onClose={onClose} onCreated={setCreated} />;
}

function FormStep({ onClose, onCreated }: { onClose(): void; onCreated(endpoint: Created): void }) {
  const [draft, change] = useDraft();
  const faultsOf = useDraftFaults();
  const form = useForm(useCreateEndpoint(), operation.body, ["url", "event_types", "description"]);
  return (
    <Dialog title={t("newEndpoint")} closeLabel={t("close")} onClose={onClose} width="lg">
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const endpoint = await form.submit(event, { ...draft, url: draft.url.trim() }, faultsOf(draft));
          if (endpoint) onCreated(endpoint);
        }}
      >
        {form.problem && <Notice title={form.problem.title}>{form.problem.help}</Notice>}
        <EndpointFields draft={draft} onChange={change} errorOf={form.errorOf} />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="primary" pending={form.pending}>
            {t("create")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function SecretStep({ endpoint }: { endpoint: Created }) {
  const navigate = useNavigate();
  const leave = () => void navigate(endpointPath(endpoint.id));
  return (
    <Dialog title={t("secretTitle")} description={endpoint.secret && t("secretHelp")} closeLabel={t("close")} onClose={leave} width="lg">
      {endpoint.secret === undefined ? (
        <Notice>{t("secretHidden")}</Notice>
      ) : (
        <CopyField label={t("secretLabel")} value={endpoint.secret} copyLabel={t("copy")} copiedLabel={t("copied")} selectedLabel={t("selected")} />
      )}
      <TestPanel endpoint={endpoint} />
      <DialogActions>
        <Button look="primary" onClick={leave}>
          {t("toEndpoint")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
