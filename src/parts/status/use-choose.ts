import type { FileStatus } from "../../../contract/records.ts";
import { t } from "../../lib/messages/status.ts";
import { commandKeys } from "../../lib/platform.ts";
import type { StatusChangeFile } from "../../queries/statuses/choices.ts";
import { usePendingStatusStore } from "../../queries/statuses/use-choices.ts";
import { announce } from "../../ui/announce.ts";
import { formatFiles } from "./choice-words.ts";

/** Returns a function that sets a status for files of a team and announces that it can be undone. */
export function useChangeStatus(teamId: number): (files: readonly StatusChangeFile[], status: FileStatus, note?: string) => void {
  const store = usePendingStatusStore();
  return (files, status, note) => {
    const pendingChange = store.add(teamId, files, status, note);
    const filesLabel = formatFiles(pendingChange?.files ?? files);
    announce(pendingChange ? t("scheduled", { what: filesLabel, status: status.title, keys: commandKeys("Z") }) : t("undone", { what: filesLabel }));
  };
}
