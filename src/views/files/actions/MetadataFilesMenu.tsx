import { Ellipsis, FileDown, FileUp } from "lucide-react";
import { useRef, useState } from "react";
import type { MetadataImport } from "../../../../contract/metadata-records.ts";
import { useClient } from "../../../client/client.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { saveFrom } from "../../../lib/browser.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { requestMetadataCsv, useImportMetadata } from "../../../queries/metadata/metadata-files.ts";
import { useCan } from "../../../queries/permissions.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useToasts } from "../../../ui/toast.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";

/** Exports the metadata of the files below the open folder, and imports that of any files of the project. Rendered only where there are fields. */
export function MetadataFilesMenu() {
  const { project, folder, fieldColumns } = useFilesContext();
  const client = useClient();
  const toasts = useToasts();
  // Which lines a guest may change depends on the files that they name; the trial says which not.
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

/** Imports a CSV file after it has shown what would change. A file with any problem changes nothing. */
function ImportDialog({ projectId, onClose }: { projectId: number; onClose(): void }) {
  const toasts = useToasts();
  const input = useRef<HTMLInputElement>(null);
  const trial = useImportMetadata(projectId);
  const apply = useImportMetadata(projectId);
  const [file, setFile] = useState<File | null>(null);
  const result = trial.data;
  const choose = (chosen: File) => {
    setFile(chosen);
    apply.reset();
    trial.mutate({ csv: chosen, isTrial: true });
  };
  const confirm = (csv: File) =>
    apply.mutate(
      { csv, isTrial: false },
      {
        onSuccess: ({ error_count, changed_file_count }) => {
          // What somebody else has changed since the trial may no longer fit.
          if (error_count > 0) return trial.mutate({ csv, isTrial: true });
          toasts.show({ text: t("imported", { count: changed_file_count }) });
          onClose();
        },
      },
    );
  return (
    <Dialog title={t("importTitle")} description={t("importHelp")} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <Button autoFocus pending={trial.isPending} onClick={() => input.current?.click()}>
            {t(file === null ? "chooseFile" : "chooseOther")}
          </Button>
          {file && <bdi className="min-w-0 truncate text-text-2">{file.name}</bdi>}
        </div>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv"
          hidden
          aria-label={t("chooseFile")}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            target.value = "";
            if (chosen) choose(chosen);
          }}
        />
        <ErrorNotice error={trial.error ?? apply.error} />
        {result && !trial.isPending && !trial.error && <TrialResult result={result} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{tCommon("cancel")}</Button>
        <Button
          variant="primary"
          pending={apply.isPending}
          disabled={file === null || trial.isPending || !result || result.error_count > 0 || result.changed_value_count === 0}
          onClick={() => file && confirm(file)}
        >
          {t("apply")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Number of problems that are listed; the rest are counted. */
const SHOWN_ERRORS = 20;

function TrialResult({ result: { errors, error_count, changed_file_count, changed_value_count, unknown_columns } }: { result: MetadataImport }) {
  const shown = errors.slice(0, SHOWN_ERRORS);
  return (
    <div role="status" className="flex flex-col gap-3">
      {error_count > 0 ? (
        <Notice title={t("errorCount", { count: error_count })}>
          <ul className="mt-1 flex max-h-50 flex-col gap-1 overflow-y-auto">
            {shown.map(({ line, column, message }, index) => (
              <li key={index} className="wrap-anywhere">
                {column === null ? t("line", { line }) : t("lineColumn", { line, column })}: {message}
              </li>
            ))}
            {error_count > shown.length && <li>{t("moreErrors", { count: error_count - shown.length })}</li>}
          </ul>
        </Notice>
      ) : (
        <p>
          {changed_value_count === 0
            ? t("nothingChanges")
            : t("willChange", { count: changed_file_count, values: t("values", { count: changed_value_count }) })}
        </p>
      )}
      {unknown_columns.length > 0 && <p className="text-sm text-text-2">{t("unknownColumns", { names: unknown_columns.join(", ") })}</p>}
    </div>
  );
}
