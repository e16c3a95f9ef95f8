/** What may be done with entries of the files view, and why not: asked before the service is, which decides again for itself. */
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Role } from "../../../contract/records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { t } from "../../lib/messages/file-actions.ts";
import type { Tree } from "../file-lists/tree.ts";

export interface Me {
  accountId: number;
  role: Role;
}

/** More at once the service does not take. */
export const tooMany = (entries: readonly FileEntry[]) => (entries.length > LIMITS.files_per_request ? t("tooMany", { most: LIMITS.files_per_request }) : null);
/** A guest moves and deletes only what they brought themselves. */
const isForeign = ({ role, accountId }: Me, entry: FileEntry) => role === "guest" && entry.account_id !== accountId;

/** Renaming, protecting and statuses are not for guests. */
export const mayRename = ({ role }: Me): boolean => role !== "guest";

/** Why these cannot be moved at all, or null. */
export function moveRefusal(me: Me, entries: readonly FileEntry[]): string | null {
  const kept = entries.find((entry) => entry.removal_protection);
  if (entries.some((entry) => isForeign(me, entry))) return t("moveForeign");
  if (kept) return t("moveProtected", { name: kept.name });
  return tooMany(entries);
}

/** Why these cannot be moved into this folder, or null. */
export function placeRefusal(entries: readonly FileEntry[], to: number, tree: Pick<Tree, "isIn">): string | null {
  const inside = entries.find((entry) => entry.is_folder && tree.isIn(to, entry.id) === true);
  if (inside) return t(inside.id === to ? "moveIntoItself" : "moveIntoOwn", { name: inside.name });
  return entries.every((entry) => entry.parent_id === to) ? t("moveNowhere") : null;
}

/** Why these cannot be deleted, or null. What lies in folders the service looks through. */
export function deleteRefusal(me: Me, entries: readonly FileEntry[]): string | null {
  const kept = entries.find((entry) => entry.removal_protection);
  if (entries.some((entry) => isForeign(me, entry))) return t("deleteForeign");
  if (kept) return t(mayRename(me) ? "deleteProtected" : "deleteProtectedGuest", { name: kept.name });
  return tooMany(entries);
}

/** Those of them that are protected from removal and keep the others back. */
export const protectedOf = (entries: readonly FileEntry[]): FileEntry[] => entries.filter((entry) => entry.removal_protection);
