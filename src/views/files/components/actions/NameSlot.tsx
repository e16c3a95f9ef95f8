import type { ReactNode } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { useActionsRoom } from "./actions-room.ts";
import { RenameField } from "./RenameField.tsx";

/** An entry's name as `children` show it, or the field in which it is changed. */
export function NameSlot({ entry, children }: { entry: FileEntry; children: ReactNode }) {
  const { naming, giveName, stopNaming } = useActionsRoom();
  if (naming?.of.kind !== "entry" || naming.of.id !== entry.id) return children;
  return (
    <RenameField
      label={t("nameOf", { name: entry.name })}
      text={naming.text}
      of={naming}
      isFolder={entry.is_folder}
      fault={naming.fault}
      onName={giveName}
      onClose={stopNaming}
    />
  );
}
