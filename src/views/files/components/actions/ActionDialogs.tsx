import type { FileEntry } from "../../../../../contract/file-records.ts";
import { StatusDialog } from "../../../../parts/status/StatusDialog.tsx";
import type { ChosenFile } from "../../../../queries/statuses/choices.ts";
import { useFilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";
import { MoveDialog } from "./MoveDialog.tsx";
import { ProtectionDialog } from "./ProtectionDialog.tsx";
import { VersionQuestion } from "./VersionQuestion.tsx";
import { VersionsDialog } from "./VersionsDialog.tsx";

/** The one dialog that is open about files. */
export function ActionDialogs() {
  const { asking, ask } = useActionsRoom();
  const { project } = useFilesRoom();
  const first = asking?.entries[0];
  if (!asking || !first) return null;
  const onClose = () => ask(null);
  switch (asking.what) {
    case "move":
      return <MoveDialog entries={asking.entries} onClose={onClose} />;
    case "protection":
      return <ProtectionDialog entry={first} onClose={onClose} />;
    case "versions":
      return <VersionsDialog entry={first} onClose={onClose} />;
    case "status":
      return <StatusDialog teamId={project.team_id} files={chosenOf(asking.entries)} onClose={onClose} />;
    case "version-of":
      return asking.file ? <VersionQuestion entry={first} file={asking.file} onClose={onClose} /> : null;
  }
}

/** Folders have no status. */
const chosenOf = (entries: readonly FileEntry[]): ChosenFile[] =>
  entries.filter(({ is_folder }) => !is_folder).map(({ id, name, status }) => ({ id, name, before: status }));
