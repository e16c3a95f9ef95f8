import { Ellipsis, FileDown, FileUp } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../../client/client.ts";
import { saveFrom } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { requestMetadataCsv } from "../../../queries/metadata/metadata-files.ts";
import { useCan } from "../../../queries/permissions.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useToasts } from "../../../ui/toast.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { ImportDialog } from "./ImportDialog.tsx";

/** Exports the metadata of the files below the open folder, and imports that of any files of the project. Rendered only where there are fields. */
export function MetadataFilesMenu() {
  const { project, folder, fieldColumns } = useFilesContext();
  const client = useClient();
  const toasts = useToasts();
  // Which lines a guest may change depends on the files that they name; the preview lists those that a guest may not.
  const canImport = useCan("metadata.edit", { isOwn: true });
  const [isImporting, setIsImporting] = useState(false);
  if (fieldColumns.fields.length === 0) return null;
  const exportCsv = async () => {
    try {
      const { address, release } = await requestMetadataCsv(client, project.id, folder.id);
      saveFrom(address, client.api.hasToken ? `${folderName(folder)}.csv` : "", release);
    } catch (error) {
      toasts.showError(t("exportFailed", { reason: formatErrorReason(error) }));
    }
  };
  return (
    <>
      <Menu label={t("more")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
        <MenuItem icon={<FileDown size={16} aria-hidden />} onSelect={() => void exportCsv()}>
          {t("exportCsv")}
        </MenuItem>
        {canImport && (
          <MenuItem icon={<FileUp size={16} aria-hidden />} onSelect={() => setIsImporting(true)}>
            {t("importCsv")}
          </MenuItem>
        )}
      </Menu>
      {isImporting && <ImportDialog projectId={project.id} onClose={() => setIsImporting(false)} />}
    </>
  );
}
