import { useRef, useState } from "react";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { isConflict } from "../../../queries/describe-error.ts";
import { useImportMetadata } from "../../../queries/metadata/metadata-files.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { useToasts } from "../../../ui/toast.ts";
import { ImportPreview } from "./ImportPreview.tsx";

/** Imports a CSV file after it has shown what would change. A file with any problem changes nothing. */
export function ImportDialog({ projectId, onClose }: { projectId: number; onClose(): void }) {
  const toasts = useToasts();
  const input = useRef<HTMLInputElement>(null);
  const preview = useImportMetadata(projectId);
  const apply = useImportMetadata(projectId);
  const [file, setFile] = useState<File | null>(null);
  const result = preview.data;
  const choose = (chosen: File) => {
    setFile(chosen);
    apply.reset();
    preview.mutate({ csv: chosen, dryRun: true });
  };
  const confirm = (csv: File) =>
    apply.mutate(
      { csv, dryRun: false, ifDigest: result?.digest },
      {
        onSuccess: ({ error_count, changed_file_count }) => {
          // What somebody else has changed since the preview may no longer fit.
          if (error_count > 0) return preview.mutate({ csv, dryRun: true });
          toasts.show({ text: t("imported", { count: changed_file_count }) });
          onClose();
        },
        // The error says that something else would be replaced by now; the preview shows what.
        onError: (error) => void (isConflict(error) && preview.mutate({ csv, dryRun: true })),
      },
    );
  return (
    <Dialog title={t("importTitle")} description={t("importHelp")} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <Button autoFocus pending={preview.isPending} onClick={() => input.current?.click()}>
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
        <ErrorNotice error={preview.error ?? apply.error} />
        {result && !preview.isPending && !preview.error && <ImportPreview projectId={projectId} result={result} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{tCommon("cancel")}</Button>
        <Button
          variant="primary"
          pending={apply.isPending}
          disabled={file === null || preview.isPending || !result || result.error_count > 0 || result.changed_value_count === 0}
          onClick={() => file && confirm(file)}
        >
          {t("apply")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
