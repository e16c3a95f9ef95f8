import { Folder } from "lucide-react";
import { t } from "../../../../lib/messages/file-actions.ts";
import { useFileActionsContext } from "./actions-room.ts";
import { RenameField } from "./RenameField.tsx";

/** Renders the name field of a new folder above the list. */
export function NewFolderRow() {
  const { nameEdit, submitName, cancelName } = useFileActionsContext();
  if (nameEdit?.target.kind !== "folder") return null;
  return (
    <div data-keeps-list className="flex min-h-11 shrink-0 items-center gap-2.5 border-b border-line bg-accent-soft px-4 tablet:pl-12">
      <Folder size={18} aria-hidden className="shrink-0 text-text-2" />
      <div className="w-full max-w-100">
        <RenameField
          label={t("newFolderName")}
          text={nameEdit.text}
          isFolder
          error={nameEdit.error}
          pending={nameEdit.pending}
          onSubmit={submitName}
          onClose={cancelName}
        />
      </div>
    </div>
  );
}
