/** Starts and describes status changes, and tracks which files show theirs inline. */
import { useLayoutEffect, useSyncExternalStore } from "react";
import type { FileStatus } from "../../../contract/records.ts";
import { commandKeys } from "../../lib/browser.ts";
import { t } from "../../lib/texts/status.ts";
import type { PendingStatusChange, StatusChangeFile } from "../../sync/statuses/pending-status-changes.ts";
import { usePendingStatusStore } from "../../sync/statuses/use-pending-statuses.ts";
import { announce } from "../../ui/announce.ts";

/** Places that show a file's pending status change inline with an undo button, so that it needs no card at the page's edge, by file id. */
const inlineCounts = new Map<number, number>();
const listeners = new Set<() => void>();
let version = 0;

/** Returns a function that sets a status for files of a team and announces that it can be undone. */
export function useChangeStatus(teamId: number): (files: readonly StatusChangeFile[], status: FileStatus, note?: string) => void {
  const store = usePendingStatusStore();
  return (files, status, note) => {
    const pendingChange = store.add(teamId, files, status, note);
    const filesLabel = formatFiles(pendingChange?.files ?? files);
    announce(pendingChange ? t("scheduled", { what: filesLabel, status: status.title, keys: commandKeys("Z") }) : t("undone", { what: filesLabel }));
  };
}

/** Returns the file's name, or the number of files. */
export const formatFiles = (files: readonly StatusChangeFile[]): string => (files.length === 1 ? files[0]!.name : t("files", { count: files.length }));

/** Returns the message for a status change whose files got another status meanwhile. */
export function conflictMessage({ files }: PendingStatusChange): string {
  const [first] = files;
  return files.length === 1 && first
    ? t("changedByOther", { what: first.name, now: first.before?.title ?? t("none") })
    : t("changedByOtherSeveral", { count: files.length });
}

function updateCount(fileId: number, by: 1 | -1): void {
  const next = (inlineCounts.get(fileId) ?? 0) + by;
  if (next === 0) inlineCounts.delete(fileId);
  else inlineCounts.set(fileId, next);
  version += 1;
  for (const listener of listeners) listener();
}

/** Marks a file's pending status change as shown inline. */
export function useInlineStatus(fileId: number, shown: boolean): void {
  useLayoutEffect(() => {
    if (!shown) return;
    updateCount(fileId, 1);
    return () => updateCount(fileId, -1);
  }, [fileId, shown]);
}

/** Returns a function that checks whether a file's change is shown inline now. */
export function useHasInlineStatus(): (fileId: number) => boolean {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return (fileId) => inlineCounts.has(fileId);
}
