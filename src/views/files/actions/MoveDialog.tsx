import { FolderPlus } from "lucide-react";
import { useRef, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { createFolder } from "../../../queries/file-lists/file-mutations.ts";
import { useIdempotencyKey } from "../../../queries/operations.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { uniqueName } from "../names.ts";
import { FolderPicker } from "../tree/FolderTree.tsx";
import { moveTargetDisabledReason } from "./available-actions.tsx";
import { RenameField } from "./RenameField.tsx";

/** Chooses the folder to move the entries to, or creates one. */
export function MoveDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const { tree, folder } = useFilesContext();
  const { move } = useFileActionsContext();
  const client = useClient();
  /** The chosen folder. `createdId` is the last one that was created and chosen. */
  const [choice, setChoice] = useState({ id: folder.id, createdId: 0 });
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>();
  const [nameEdit, setNameEdit] = useState<{ isPending: boolean; error: string | null; text: string } | null>(null);
  const latestEdit = useRef(nameEdit);
  latestEdit.current = nameEdit;
  const idempotencyKeyFor = useIdempotencyKey();
  const target = tree.get(choice.id) ?? folder;
  const getDisabledReason = (id: number) => moveTargetDisabledReason(entries, id, tree);
  const disabledReason = getDisabledReason(target.id);

  async function submitName(name: string) {
    const submitted = { isPending: true, error: null, text: name };
    setNameEdit(submitted);
    try {
      const created = await createFolder(client, target, name, idempotencyKeyFor([target.id, name]));
      // The user has closed the field or begun another name meanwhile.
      if (latestEdit.current !== submitted) return;
      setNameEdit(null);
      setChoice((current) => (current.id === choice.id ? { id: created.id, createdId: created.id } : current));
    } catch (error) {
      setNameEdit((current) => (current === submitted || current === null ? { isPending: false, error: formatErrorReason(error), text: name } : current));
    }
  }
  function startNewFolder() {
    const existingNames = tree.childrenOf(target.id).map(({ name }) => name);
    setNameEdit({ isPending: false, error: null, text: uniqueName(t("untitled"), existingNames) });
  }
  return (
    <Dialog title={t("moveTitle", { count: entries.length, name: entries[0]!.name })} description={t("moveLead")} onClose={onClose}>
      <FolderPicker
        // The created folder is in the tab order only in a new tree.
        key={choice.createdId}
        label={t("folders")}
        tree={tree}
        selectedId={target.id}
        initialOpenIds={openIds}
        onOpenIdsChange={setOpenIds}
        onSelect={(id) => setChoice({ ...choice, id })}
        selectsOnFocus
        getDisabledReason={getDisabledReason}
        className="h-64 max-h-[40dvh] rounded-md border border-line bg-bg p-1"
      />
      <div className="mt-3 min-h-8">
        {nameEdit ? (
          <RenameField
            label={t("newFolderName")}
            text={nameEdit.text}
            isFolder
            error={nameEdit.error}
            isPending={nameEdit.isPending}
            submitLabel={t("create")}
            onSubmit={(name) => void submitName(name)}
            onClose={() => setNameEdit(null)}
          />
        ) : (
          <Button size="sm" variant="ghost" onClick={startNewFolder}>
            <FolderPlus size={16} aria-hidden />
            {t("newFolderHere", { folder: folderName(target) })}
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
            move(entries, { id: target.id, name: folderName(target) });
          }}
        >
          <span className="max-w-60 truncate">{t("moveHere", { folder: folderName(target) })}</span>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
