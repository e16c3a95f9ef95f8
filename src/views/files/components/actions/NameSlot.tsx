import type { ReactNode } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { useFileActionsContext } from "./actions-room.ts";
import { RenameField } from "./RenameField.tsx";

/** Renders an entry's name as `children`, or the field that edits it. */
export function EditableName({ entry, children }: { entry: FileEntry; children: ReactNode }) {
  const { nameEdit, submitName, cancelName } = useFileActionsContext();
  if (nameEdit?.target.kind !== "entry" || nameEdit.target.id !== entry.id) return children;
  return (
    <RenameField
      label={t("nameOf", { name: entry.name })}
      text={nameEdit.text}
      editKey={nameEdit}
      isFolder={entry.is_folder}
      error={nameEdit.error}
      onSubmit={submitName}
      onClose={cancelName}
    />
  );
}
