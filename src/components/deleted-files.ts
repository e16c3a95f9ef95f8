/** Texts about deleted files, which their list and the page of a deleted file share. */
import type { FileEntry } from "../../contract/file-records.ts";
import { t } from "../lib/texts/deleted-files.ts";

const DAY_MS = 86_400_000;

/** Returns the number of days until a deleted file or project is erased, rounded; 0 on the last day. */
export function daysLeft(until: string, now: number): number {
  const days = (Date.parse(until) - now) / DAY_MS;
  return days < 1 ? 0 : Math.round(days);
}

/** Describes where restored entries are, unless that is unknown, and the new name of a single one whose name was taken. */
export function restoredText(deleted: readonly Pick<FileEntry, "id" | "name">[], restored: readonly FileEntry[], folder: string | null): string {
  const [first] = deleted;
  const now = restored.find(({ id }) => id === first?.id);
  const name = first?.name ?? "";
  if (deleted.length === 1 && folder !== null && now && now.name !== name) return t("restoredAs", { name, now: now.name, folder });
  if (folder === null) return t("restoredAnywhere", { count: deleted.length, name });
  return t("restored", { count: deleted.length, name, folder });
}
