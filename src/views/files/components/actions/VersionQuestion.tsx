import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { isSameType } from "../../model/names.ts";
import { useFilesContext } from "../files-room.ts";
import { useFolderUploads } from "./use-uploads-into.ts";

/** Asks for confirmation before a file dropped on another becomes its next version. */
export function AddVersionDialog({ entry, file, onClose }: { entry: FileEntry; file: File; onClose(): void }) {
  const { project, tree, folder } = useFilesContext();
  const uploads = useFolderUploads(project.id);
  const destination = (entry.parent_id === null ? undefined : tree.get(entry.parent_id)) ?? folder;
  return (
    <Dialog title={t("versionTitle")} description={t("versionLead", { file: file.name, name: entry.name })} closeLabel={t("close")} onClose={onClose}>
      {!isSameType(file.name, entry.name) && <Notice tone="info">{t("versionTypeDiffers")}</Notice>}
      <DialogActions>
        <Button
          onClick={() => {
            onClose();
            uploads.files([file], destination);
          }}
        >
          {t("uploadSeparately")}
        </Button>
        <Button
          variant="primary"
          autoFocus
          onClick={() => {
            onClose();
            uploads.version(file, entry);
          }}
        >
          {t("addAsVersion")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
