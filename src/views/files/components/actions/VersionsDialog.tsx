import { Download, FilePlus2, RotateCw } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { formatSize } from "../../../../lib/file-size.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { formatDateTime } from "../../../../lib/time.ts";
import { useVersions } from "../../../../queries/files/use-versions.ts";
import { describeError } from "../../../../queries/problems.ts";
import { useProjectMembers } from "../../../../queries/projects/use-projects.ts";
import { originalFileUrl } from "../../../../queries/file-actions/original-of.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { RowsSkeleton } from "../../../../ui/RowsSkeleton.tsx";
import { useFilesContext } from "../files-room.ts";
import { useFileActionsContext } from "./actions-room.ts";

/** Lists who uploaded which version when, with a download link for each. */
export function VersionsDialog({ entry, onClose }: { entry: FileEntry; onClose(): void }) {
  const { project, open } = useFilesContext();
  const { chooseVersion, uploadDisabledReason } = useFileActionsContext();
  const { data: versions, error, refetch } = useVersions(entry.id);
  const members = useProjectMembers(project.id).data ?? [];
  const nameOf = (id: number) => members.find((member) => member.id === id)?.username ?? t("formerMember");
  return (
    <Dialog title={t("versionsTitle", { name: entry.name })} description={t("versionsHelp")} closeLabel={t("close")} onClose={onClose} lightDismiss>
      {error && (
        <Notice title={t("versionsFailed")}>
          {describeError(error).title}{" "}
          <Button size="sm" variant="ghost" onClick={() => void refetch()}>
            <RotateCw size={14} aria-hidden />
            {describeError(error).help}
          </Button>
        </Notice>
      )}
      {!versions && !error && <RowsSkeleton rows={2} />}
      <ol className="max-h-[50dvh] overflow-y-auto">
        {versions?.map((version, index) => (
          <li key={version.id} className="flex items-center gap-3 border-b border-line py-2 last:border-0">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2 font-medium">
                {t("versionNumber", { number: version.number })}
                {index === 0 && <span className="rounded-full bg-accent-soft px-2 text-xs font-medium text-accent-text">{t("current")}</span>}
              </p>
              <p className="truncate text-sm text-text-2">
                {t("by", { name: nameOf(version.account_id), time: formatDateTime(version.created_at) })} · {formatSize(version.size)}
              </p>
            </div>
            <a
              href={originalFileUrl({ id: entry.id, version: version.number })}
              download
              aria-label={t("downloadVersion", { number: version.number })}
              title={t("downloadVersion", { number: version.number })}
              className={iconButtonClasses}
            >
              <Download size={18} aria-hidden />
            </a>
          </li>
        ))}
      </ol>
      <DialogActions>
        <Button
          onClick={() => {
            onClose();
            open(entry);
          }}
        >
          {t("open")}
        </Button>
        {uploadDisabledReason === null && (
          <Button
            variant="primary"
            onClick={() => {
              onClose();
              chooseVersion(entry);
            }}
          >
            <FilePlus2 size={16} aria-hidden />
            {t("addVersionButton")}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
