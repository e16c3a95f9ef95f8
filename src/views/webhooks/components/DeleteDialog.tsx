import { useNavigate } from "react-router";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { formatUrl } from "../../../lib/url-name.ts";
import { describeError } from "../../../queries/problems.ts";
import { useDeleteEndpoint } from "../../../queries/webhooks/use-endpoints.ts";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";

export function DeleteDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const remove = useDeleteEndpoint();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={t("deleteTitle", { name: formatUrl(endpoint.url) })}
      description={t("deleteHelp")}
      confirmLabel={t("remove")}
      cancelLabel={t("cancel")}
      pending={remove.isPending}
      // Awaits the mutation because deletion unmounts this dialog with its page: callbacks passed to the mutation here would not run.
      onConfirm={async () => {
        await remove.mutateAsync(endpoint.id).then(
          () => navigate("/settings/webhooks", { replace: true }),
          // The error is shown below.
          () => {},
        );
      }}
      onClose={onClose}
    >
      {remove.error && <Notice title={describeError(remove.error).title}>{describeError(remove.error).help}</Notice>}
    </ConfirmDialog>
  );
}
