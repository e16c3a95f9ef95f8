import { FolderPlus } from "lucide-react";
import { useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t as tFiles } from "../../../../lib/messages/files.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { moveTargetDisabledReason } from "../../../../queries/file-actions/permissions.ts";
import { useIdempotencyKey } from "../../../../queries/key-per-body.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { uniqueName } from "../../model/names.ts";
import { useFilesContext } from "../files-room.ts";
import { useFileActionsContext } from "./actions-room.ts";
import { formatErrorReason } from "./changes.ts";
import { FolderPicker } from "./FolderPicker.tsx";
import { RenameField } from "./RenameField.tsx";

/** Chooses the folder to move the entries to, or creates one. */
export function MoveDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const { tree, folder } = useFilesContext();
  const { mutations, move } = useFileActionsContext();
  const [targetId, setTargetId] = useState(folder.id);
  const [nameEdit, setNameEdit] = useState<{ pending: boolean; error: string | null; text: string } | null>(null);
  const idempotencyKeyFor = useIdempotencyKey();
  const target = tree.get(targetId) ?? folder;
  const nameOf = (entry: FileEntry) => (entry.parent_id === null ? tFiles("root") : entry.name);
  const getDisabledReason = (id: number) => moveTargetDisabledReason(entries, id, tree);
  const disabledReason = getDisabledReason(target.id);

  async function createFolder(name: string) {
    setNameEdit({ pending: true, error: null, text: name });
    try {
      const created = await mutations.createFolder(target, name, idempotencyKeyFor([target.id, name]));
      setNameEdit(null);
      setTargetId(created.id);
    } catch (error) {
      setNameEdit({ pending: false, error: formatErrorReason(error), text: name });
    }
  }
  return (
    <Dialog title={t("moveTitle", { count: entries.length, name: entries[0]!.name })} description={t("moveLead")} closeLabel={t("close")} onClose={onClose}>
      <FolderPicker tree={tree} selectedId={target.id} onSelect={setTargetId} getDisabledReason={getDisabledReason} nameOf={nameOf} />
      <div className="mt-3 min-h-8">
        {nameEdit ? (
          <RenameField
            label={t("newFolderName")}
            text={nameEdit.text}
            isFolder
            error={nameEdit.error}
            pending={nameEdit.pending}
            submitLabel={t("create")}
            onSubmit={(name) => void createFolder(name)}
            onClose={() => setNameEdit(null)}
          />
        ) : (
          <Button
            size="sm"
            variant="ghost"
            onClick={() =>
              setNameEdit({
                pending: false,
                error: null,
                text: uniqueName(
                  t("untitled"),
                  tree.childrenOf(target.id).map(({ name }) => name),
                ),
              })
            }
          >
            <FolderPlus size={16} aria-hidden />
            {t("newFolderHere", { folder: nameOf(target) })}
          </Button>
        )}
      </div>
      {disabledReason !== null && target.id !== folder.id && (
        <Notice tone="info" className="mt-2">
          {disabledReason}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button
          variant="primary"
          disabled={disabledReason !== null || nameEdit !== null}
          onClick={() => {
            onClose();
            move(entries, { id: target.id, name: nameOf(target) });
          }}
        >
          <span className="max-w-60 truncate">{t("moveHere", { folder: nameOf(target) })}</span>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
