import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { announce } from "../../../../ui/announce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { CheckField } from "../../../../ui/Field.tsx";
import { useFilesContext } from "../files-room.ts";
import { useFileActionsContext } from "./actions-room.ts";
import { updateProtection } from "./changes.ts";

/** Switches the protection of a file or folder. Each switch applies at once. */
export function ProtectionDialog({ entry: initialEntry, onClose }: { entry: FileEntry; onClose(): void }) {
  const { entries, tree } = useFilesContext();
  const { mutations } = useFileActionsContext();
  // Uses the current entry, because others can change the protection meanwhile.
  const entry = entries.find(({ id }) => id === initialEntry.id) ?? tree.get(initialEntry.id) ?? initialEntry;
  const { name } = entry;
  return (
    <Dialog title={t("protectionTitle", { name })} closeLabel={t("close")} onClose={onClose} width="sm" lightDismiss>
      <div className="flex flex-col gap-4">
        <CheckField
          autoFocus
          label={t("removalProtection")}
          hint={t("removalProtectionHelp")}
          checked={entry.removal_protection}
          onChange={({ target: { checked } }) => {
            announce(t(checked ? "protectedNow" : "unprotectedNow", { name }));
            void updateProtection(mutations, entry, { removal_protection: checked });
          }}
        />
        {entry.is_folder && (
          <CheckField
            label={t("taskProtection")}
            hint={t("taskProtectionHelp")}
            checked={entry.task_load_protection}
            onChange={({ target: { checked } }) => void updateProtection(mutations, entry, { task_load_protection: checked })}
          />
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t("close")}</Button>
      </DialogActions>
    </Dialog>
  );
}
