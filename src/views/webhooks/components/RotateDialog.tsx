import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { describeError } from "../../../queries/problems.ts";
import { useRotateSecret } from "../../../queries/webhooks/use-endpoints.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { CopyField } from "../../../ui/CopyField.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { formatSince } from "../model/words.ts";

/** Asks for confirmation, then shows the new secret once. */
export function RotateDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const rotate = useRotateSecret();
  if (rotate.data?.secret) {
    const { secret, previous_secret_until } = rotate.data;
    return (
      <Dialog title={t("rotatedTitle")} description={t("rotatedHelp", { when: formatSince(previous_secret_until) })} closeLabel={t("close")} onClose={onClose}>
        <CopyField label={t("secretLabel")} value={secret} copyLabel={t("copy")} copiedLabel={t("copied")} selectedLabel={t("selected")} />
        <DialogActions>
          <Button onClick={onClose}>{t("done")}</Button>
        </DialogActions>
      </Dialog>
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
      {rotate.error && <Notice title={describeError(rotate.error).title}>{describeError(rotate.error).help}</Notice>}
    </ConfirmDialog>
  );
}
