import { Folder } from "lucide-react";
import { t } from "../../../../lib/messages/file-actions.ts";
import { useActionsRoom } from "./actions-room.ts";
import { RenameField } from "./RenameField.tsx";

/** A folder to be, above the others: its name is written where it will stand. */
export function NewFolderRow() {
  const { naming, giveName, stopNaming } = useActionsRoom();
  if (naming?.of.kind !== "folder") return null;
  return (
    <div data-keeps-list className="flex min-h-11 shrink-0 items-center gap-2.5 border-b border-line bg-accent-soft px-4 tablet:pl-12">
      <Folder size={18} aria-hidden className="shrink-0 text-text-2" />
      <div className="w-full max-w-100">
        <RenameField
          label={t("newFolderName")}
          text={naming.text}
          isFolder
          fault={naming.fault}
          pending={naming.pending}
          onName={giveName}
          onClose={stopNaming}
        />
      </div>
    </div>
  );
}
