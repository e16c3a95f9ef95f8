import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { isSameType } from "../../model/names.ts";
import { useFilesRoom } from "../files-room.ts";
import { useUploadsInto } from "./use-uploads-into.ts";

/** A file was brought to a file: it becomes its next version only after a word. */
export function VersionQuestion({ entry, file, onClose }: { entry: FileEntry; file: File; onClose(): void }) {
  const { project, tree, folder } = useFilesRoom();
  const uploads = useUploadsInto(project.id);
  const place = (entry.parent_id === null ? undefined : tree.get(entry.parent_id)) ?? folder;
  return (
    <Dialog title={t("versionTitle")} description={t("versionLead", { file: file.name, name: entry.name })} closeLabel={t("close")} onClose={onClose}>
      {!isSameType(file.name, entry.name) && <Notice tone="info">{t("versionOtherType")}</Notice>}
      <DialogActions>
        <Button
          onClick={() => {
            onClose();
            uploads.files([file], place);
          }}
        >
          {t("versionNo")}
        </Button>
        <Button
          look="primary"
          autoFocus
          onClick={() => {
            onClose();
            uploads.version(file, entry);
          }}
        >
          {t("versionYes")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
