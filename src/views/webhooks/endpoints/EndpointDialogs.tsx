/** Dialogs that create an endpoint, rotate its secret, or delete it. */
import { useState } from "react";
import { useNavigate } from "react-router";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ConfirmAction } from "../../../components/FormDialog.tsx";
import { SecretDialog } from "../../../components/SecretDialog.tsx";
import { formatUrl } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useDeleteEndpoint, useRotateSecret } from "../../../queries/webhooks/use-webhooks.ts";
import { useNextLocation } from "../../../ui/router-state.ts";
import { formatShortDateTime } from "../states.ts";
import { endpointPath, isEndpointPath } from "../page-urls.ts";
import { NewEndpointForm } from "./EndpointForm.tsx";
import { SendTestPanel } from "./SendTestPanel.tsx";

/** Creates an endpoint, shows its secret once, and offers to send a test event. */
export function CreateEndpointDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [endpoint, setEndpoint] = useState<(WebhookEndpoint & { secret?: string | undefined }) | null>(null);
  if (!endpoint) return <NewEndpointForm onDone={setEndpoint} onClose={onClose} />;
  return (
    <SecretDialog
      title={t("secretTitle")}
      description={t("secretHelp")}
      label={t("secretLabel")}
      secret={endpoint.secret}
      hiddenText={t("secretHidden")}
      nextLabel={t("toEndpoint")}
      width="lg"
      onClose={() => void navigate(endpointPath(endpoint.id))}
    >
      <SendTestPanel endpoint={endpoint} />
    </SecretDialog>
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
    <ConfirmAction
      action={rotate}
      title={t("rotateTitle")}
      description={t("rotateHelp")}
      confirmLabel={t("rotateConfirm")}
      onConfirm={() => rotate.mutate(endpoint.id)}
      onClose={onClose}
    />
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
    <ConfirmAction
      action={remove}
      title={t("deleteTitle", { name: formatUrl(endpoint.url) })}
      description={t("deleteHelp")}
      confirmLabel={t("remove")}
      // Awaits the mutation because deletion unmounts this dialog with its page: callbacks passed to the mutation here would not run.
      onConfirm={async () => {
        // The dialog shows the error.
        await remove.mutateAsync(endpoint.id).then(leave, () => {});
      }}
      onClose={onClose}
    />
  );
}
