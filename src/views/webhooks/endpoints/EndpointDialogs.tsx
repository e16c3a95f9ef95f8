/** Dialogs that edit an endpoint, rotate its secret, or delete it. */
import { useNavigate } from "react-router";
import { updateWebhookEndpoint as operation } from "../../../../contract/operations/webhooks.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ErrorNotice, FormProblem } from "../../../components/ErrorNotice.tsx";
import { SecretDialog } from "../../../components/SecretDialog.tsx";
import { formatUrl } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useForm } from "../../../queries/use-form.ts";
import { useDeleteEndpoint, useRotateSecret, useUpdateEndpoint } from "../../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { useNextLocation } from "../../../ui/use-router-state.ts";
import { formatShortDateTime } from "../labels.ts";
import { isEndpointPath } from "../page-urls.ts";
import { ENDPOINT_FIELDS, EndpointFields, useDraftIssues, useEndpointDraft } from "./EndpointFields.tsx";

export function EditEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const [draft, updateDraft] = useEndpointDraft(endpoint);
  const findIssues = useDraftIssues();
  const form = useForm(useUpdateEndpoint(), operation.body, ENDPOINT_FIELDS);
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
        <FormProblem problem={form.problem} />
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

/** Asks for confirmation, then shows the new secret once. */
export function RotateSecretDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const rotate = useRotateSecret();
  if (rotate.data?.secret) {
    const { secret, previous_secret_until } = rotate.data;
    return (
      <SecretDialog
        title={t("rotatedTitle")}
        description={t("rotatedHelp", { when: formatShortDateTime(previous_secret_until) })}
        label={t("secretLabel")}
        secret={secret}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={t("rotateTitle")}
      description={t("rotateHelp")}
      confirmLabel={t("rotateConfirm")}
      cancelLabel={t("cancel")}
      pending={rotate.isPending}
      onConfirm={() => rotate.mutate(endpoint.id)}
      onClose={onClose}
    >
      <ErrorNotice error={rotate.error} />
    </ConfirmDialog>
  );
}

export function DeleteEndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const remove = useDeleteEndpoint();
  const navigate = useNavigate();
  const readNextLocation = useNextLocation();
  /** Leaves the page of the deleted endpoint, unless the user has opened another page meanwhile. */
  const leave = () => {
    if (isEndpointPath(readNextLocation().pathname, endpoint.id)) void navigate("/settings/webhooks", { replace: true });
  };
  return (
    <ConfirmDialog
      title={t("deleteTitle", { name: formatUrl(endpoint.url) })}
      description={t("deleteHelp")}
      confirmLabel={t("remove")}
      cancelLabel={t("cancel")}
      pending={remove.isPending}
      // Awaits the mutation because deletion unmounts this dialog with its page: callbacks passed to the mutation here would not run.
      onConfirm={async () => {
        // The error is shown below.
        await remove.mutateAsync(endpoint.id).then(leave, () => {});
      }}
      onClose={onClose}
    >
      <ErrorNotice error={remove.error} />
    </ConfirmDialog>
  );
}
