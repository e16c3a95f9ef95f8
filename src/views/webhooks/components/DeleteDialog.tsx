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
      // Its own page goes with it: the mutation alone outlives this dialog, not what is told to it here.
      onConfirm={async () => {
        await remove.mutateAsync(endpoint.id).then(
          () => navigate("/settings/webhooks", { replace: true }),
          // Shown below.
          () => {},
        );
      }}
      onClose={onClose}
    >
      {remove.error && <Notice title={describeError(remove.error).title}>{describeError(remove.error).help}</Notice>}
    </ConfirmDialog>
  );
}
