import { Download, FilePlus2 } from "lucide-react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useClient, useServiceTime } from "../../../client/client.ts";
import { DownloadAnchor } from "../../../components/DownloadAnchor.tsx";
import { AddToPlaylistDialog } from "../../../components/playlists/AddToPlaylist.tsx";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { StatusDialog } from "../../../components/status/StatusDialog.tsx";
import { formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatDayTime } from "../../../lib/time.ts";
import { originalFileUrl, useVersions } from "../../../queries/files/use-file.ts";
import { usePeople } from "../../../queries/members.ts";
import { useStatusAfterNewVersion } from "../../../queries/statuses/use-statuses.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { CheckField } from "../../../ui/Field.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { useToasts } from "../../../ui/toast.ts";
import { useFileActionsContext } from "../actions-context.ts";
import { useFilesContext } from "../files-context.ts";
import { isSameType } from "../names.ts";
import { updateProtection } from "./file-operations.ts";
import { MetadataDialog } from "./MetadataDialog.tsx";
import { MoveDialog } from "./MoveDialog.tsx";
import { useFolderUploads } from "./use-folder-uploads.ts";

/** An open dialog and the entries it applies to. */
export interface ActiveDialog {
  kind: "move" | "metadata" | "protection" | "versions" | "status" | "playlist" | "add-version";
  entries: readonly FileEntry[];
  /** The file to add as a new version. */
  file?: File;
}

/** Renders the one open dialog of the file actions. */
export function ActionDialogs({ activeDialog, onClose }: { activeDialog: ActiveDialog | null; onClose(): void }) {
  const { project } = useFilesContext();
  const first = activeDialog?.entries[0];
  if (!activeDialog || !first) return null;
  switch (activeDialog.kind) {
    case "move":
      return <MoveDialog entries={activeDialog.entries} onClose={onClose} />;
    case "protection":
      return <ProtectionDialog entry={first} onClose={onClose} />;
    case "versions":
      return <VersionsDialog entry={first} onClose={onClose} />;
    case "status": {
      const files = activeDialog.entries.filter(({ is_folder }) => !is_folder).map(({ id, name, status }) => ({ id, name, before: status }));
      return <StatusDialog teamId={project.team_id} files={files} onClose={onClose} />;
    }
    case "metadata":
      return <MetadataDialog entries={activeDialog.entries} onClose={onClose} />;
    case "playlist":
      return <AddToPlaylistDialog projectId={project.id} files={activeDialog.entries} onClose={onClose} />;
    case "add-version":
      return activeDialog.file ? <AddVersionDialog entry={first} file={activeDialog.file} onClose={onClose} /> : null;
  }
}

/** Closes the dialog before the action, which may open another one. */
const closeThen = (onClose: () => void, action: () => void) => () => {
  onClose();
  action();
};

/** Lists who uploaded which version when, with a download link for each. */
function VersionsDialog({ entry, onClose }: { entry: FileEntry; onClose(): void }) {
  const { project, open } = useFilesContext();
  const { chooseVersion, getAvailableActions } = useFileActionsContext();
  const disabledReason = getAvailableActions([entry]).find(({ action }) => action === "addVersion")?.disabledReason ?? null;
  const statusAfter = useStatusAfterNewVersion(entry.status, project.team_id);
  const { data: versions, error, refetch } = useVersions(entry.id);
  const personOf = usePeople(project.id);
  const { api } = useClient();
  const now = useServiceTime();
  return (
    <Dialog title={t("versionsTitle", { name: entry.name })} description={t("versionsHelp")} onClose={onClose} lightDismiss>
      {error && <LoadError error={error} retry={() => void refetch()} />}
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
                {t("versionBy", { name: personOf(version.account_id)?.name ?? t("formerMember"), time: formatDayTime(version.created_at, now) })} ·{" "}
                {formatSize(version.size)}
              </p>
            </div>
            <DownloadAnchor
              url={originalFileUrl(api, { id: entry.id, version: version.number })}
              fileName={entry.name}
              aria-label={t("downloadVersion", { number: version.number })}
              data-tooltip={t("downloadVersion", { number: version.number })}
              className={iconButtonClasses}
            >
              <Download size={18} aria-hidden />
            </DownloadAnchor>
          </li>
        ))}
      </ol>
      {disabledReason !== null && <p className="mt-4 text-sm text-text-2">{disabledReason}</p>}
      {disabledReason === null && statusAfter && <p className="mt-4 text-sm text-text-2">{t("versionResetsStatusLead", { status: statusAfter.title })}</p>}
      <DialogActions>
        <Button onClick={closeThen(onClose, () => open(entry))}>{t("open")}</Button>
        {disabledReason === null && (
          <Button icon={FilePlus2} variant="primary" onClick={closeThen(onClose, () => chooseVersion(entry))}>
            {t("addVersionButton")}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** Asks for confirmation before a file dropped on another becomes its next version. */
function AddVersionDialog({ entry, file, onClose }: { entry: FileEntry; file: File; onClose(): void }) {
  const { project, tree, folder } = useFilesContext();
  const uploads = useFolderUploads(project.id);
  const statusAfter = useStatusAfterNewVersion(entry.status, project.team_id);
  const destination = (entry.parent_id === null ? undefined : tree.get(entry.parent_id)) ?? folder;
  return (
    <Dialog title={t("versionTitle")} description={t("versionLead", { file: file.name, name: entry.name })} onClose={onClose}>
      {statusAfter && <p className="mb-4 text-text-2">{t("versionResetsStatusLead", { status: statusAfter.title })}</p>}
      {!isSameType(file.name, entry.name) && <Notice tone="info">{t("versionTypeDiffers")}</Notice>}
      <DialogActions>
        <Button onClick={closeThen(onClose, () => uploads.addFiles([file], destination))}>{t("uploadSeparately")}</Button>
        <Button variant="primary" autoFocus onClick={closeThen(onClose, () => uploads.addVersion(file, entry))}>
          {t("addAsVersion")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Switches the protection of a file or folder. Each switch applies at once. */
function ProtectionDialog({ entry: initialEntry, onClose }: { entry: FileEntry; onClose(): void }) {
  const { entries, tree } = useFilesContext();
  const context = { client: useClient(), toasts: useToasts() };
  // Uses the current entry, because others can change the protection meanwhile.
  const entry = entries.find(({ id }) => id === initialEntry.id) ?? tree.get(initialEntry.id) ?? initialEntry;
  const { name } = entry;
  return (
    <Dialog title={t("protectionTitle", { name })} onClose={onClose} width="sm" lightDismiss>
      <div className="flex flex-col gap-4">
        <CheckField
          autoFocus
          label={t("removalProtection")}
          hint={t("removalProtectionHelp")}
          checked={entry.removal_protection}
          onChange={(checked) => {
            announce(t(checked ? "protectedNow" : "unprotectedNow", { name }));
            void updateProtection(context, entry, { removal_protection: checked });
          }}
        />
        {entry.is_folder && (
          <CheckField
            label={t("taskProtection")}
            hint={t("taskProtectionHelp")}
            checked={entry.task_load_protection}
            onChange={(checked) => void updateProtection(context, entry, { task_load_protection: checked })}
          />
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t("close")}</Button>
      </DialogActions>
    </Dialog>
  );
}
