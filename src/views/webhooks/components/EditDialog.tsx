import { updateWebhookEndpoint as operation } from "../../../../contract/operations/webhooks.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { useForm } from "../../../queries/use-form.ts";
import { useUpdateEndpoint } from "../../../queries/webhooks/use-endpoints.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { EndpointFields, useEndpointDraft } from "./EndpointFields.tsx";
import { useDraftIssues } from "./use-draft-faults.ts";

export function EditDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const [draft, updateDraft] = useEndpointDraft(endpoint);
  const findIssues = useDraftIssues();
  const form = useForm(useUpdateEndpoint(), operation.body, ["url", "event_types", "description"]);
  return (
    <Dialog title={t("editTitle")} closeLabel={t("close")} onClose={onClose} width="lg">
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const saved = await form.submit(event, { id: endpoint.id, ...draft, url: draft.url.trim() }, findIssues(draft));
          if (saved) onClose();
        }}
      >
        {form.problem && <Notice title={form.problem.title}>{form.problem.help}</Notice>}
        <EndpointFields draft={draft} onChange={updateDraft} errorOf={form.errorOf} />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
