import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { TestPanel } from "./TestPanel.tsx";

export function TestDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  return (
    <Dialog title={t("testTitle")} closeLabel={t("close")} onClose={onClose} width="lg">
      <TestPanel endpoint={endpoint} onOpenLog={onClose} />
      <DialogActions>
        <Button onClick={onClose}>{t("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}
