import type { FileEntry } from "../../../../../contract/file-records.ts";
import { StatusDialog } from "../../../../parts/status/StatusDialog.tsx";
import type { StatusChangeFile } from "../../../../queries/statuses/choices.ts";
import { useFilesContext } from "../files-room.ts";
import { useFileActionsContext } from "./actions-room.ts";
import { MoveDialog } from "./MoveDialog.tsx";
import { ProtectionDialog } from "./ProtectionDialog.tsx";
import { AddVersionDialog } from "./VersionQuestion.tsx";
import { VersionsDialog } from "./VersionsDialog.tsx";

/** Renders the one open dialog of the file actions. */
export function ActionDialogs() {
  const { activeDialog, setActiveDialog } = useFileActionsContext();
  const { project } = useFilesContext();
  const first = activeDialog?.entries[0];
  if (!activeDialog || !first) return null;
  const onClose = () => setActiveDialog(null);
  switch (activeDialog.kind) {
    case "move":
      return <MoveDialog entries={activeDialog.entries} onClose={onClose} />;
    case "protection":
      return <ProtectionDialog entry={first} onClose={onClose} />;
    case "versions":
      return <VersionsDialog entry={first} onClose={onClose} />;
    case "status":
      return <StatusDialog teamId={project.team_id} files={toStatusChangeFiles(activeDialog.entries)} onClose={onClose} />;
    case "version-of":
      return activeDialog.file ? <AddVersionDialog entry={first} file={activeDialog.file} onClose={onClose} /> : null;
  }
}

/** Excludes folders, which have no status. */
const toStatusChangeFiles = (entries: readonly FileEntry[]): StatusChangeFile[] =>
  entries.filter(({ is_folder }) => !is_folder).map(({ id, name, status }) => ({ id, name, before: status }));
