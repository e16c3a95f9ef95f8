import { FolderPlus } from "lucide-react";
import { useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t as tFiles } from "../../../../lib/messages/files.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { placeRefusal } from "../../../../queries/file-actions/permissions.ts";
import { useKeyPerBody } from "../../../../queries/key-per-body.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { freeName } from "../../model/names.ts";
import { useFilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";
import { reasonOf } from "./changes.ts";
import { FolderPicker } from "./FolderPicker.tsx";
import { RenameField } from "./RenameField.tsx";

/** Chooses the folder into which these go, and makes one for them. */
export function MoveDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const { tree, folder } = useFilesRoom();
  const { acts, move } = useActionsRoom();
  const [chosen, setChosen] = useState(folder.id);
  const [naming, setNaming] = useState<{ pending: boolean; fault: string | null; text: string } | null>(null);
  const keyOf = useKeyPerBody();
  const target = tree.get(chosen) ?? folder;
  const nameOf = (one: FileEntry) => (one.parent_id === null ? tFiles("root") : one.name);
  const refusal = (id: number) => placeRefusal(entries, id, tree);
  const why = refusal(target.id);

  async function make(name: string) {
    setNaming({ pending: true, fault: null, text: name });
    try {
      const made = await acts.createFolder(target, name, keyOf([target.id, name]));
      setNaming(null);
      setChosen(made.id);
    } catch (error) {
      setNaming({ pending: false, fault: reasonOf(error), text: name });
    }
  }
  return (
    <Dialog title={t("moveTitle", { count: entries.length, name: entries[0]!.name })} description={t("moveLead")} closeLabel={t("close")} onClose={onClose}>
      <FolderPicker tree={tree} chosen={target.id} onChoose={setChosen} refusal={refusal} nameOf={nameOf} />
      <div className="mt-3 min-h-8">
        {naming ? (
          <RenameField
            label={t("newFolderName")}
            text={naming.text}
            isFolder
            fault={naming.fault}
            pending={naming.pending}
            giveLabel={t("create")}
            onName={(name) => void make(name)}
            onClose={() => setNaming(null)}
          />
        ) : (
          <Button
            size="sm"
            look="ghost"
            onClick={() =>
              setNaming({
                pending: false,
                fault: null,
                text: freeName(
                  t("untitled"),
                  tree.below(target.id).map(({ name }) => name),
                ),
              })
            }
          >
            <FolderPlus size={16} aria-hidden />
            {t("newFolderHere", { folder: nameOf(target) })}
          </Button>
        )}
      </div>
      {why !== null && target.id !== folder.id && (
        <Notice tone="info" className="mt-2">
          {why}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button
          look="primary"
          disabled={why !== null || naming !== null}
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
