/** What may be done with entries of the files view, and why not: asked before the service is, which decides again for itself. */
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Role } from "../../../contract/records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { t } from "../../lib/messages/file-actions.ts";
import type { Tree } from "../file-lists/tree.ts";

export interface CurrentUser {
  accountId: number;
  role: Role;
}

/** More at once the service does not take. */
export const tooManyReason = (entries: readonly FileEntry[]) =>
  entries.length > LIMITS.files_per_request ? t("tooMany", { most: LIMITS.files_per_request }) : null;
/** A guest moves and deletes only what they brought themselves. */
const isOwnedByOther = ({ role, accountId }: CurrentUser, entry: FileEntry) => role === "guest" && entry.account_id !== accountId;

/** Renaming, protecting and statuses are not for guests. */
export const canRename = ({ role }: CurrentUser): boolean => role !== "guest";

/** Why these cannot be moved at all, or null. */
export function moveDisabledReason(user: CurrentUser, entries: readonly FileEntry[]): string | null {
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  if (entries.some((entry) => isOwnedByOther(user, entry))) return t("moveForeign");
  if (protectedEntry) return t("moveProtected", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Why these cannot be moved into this folder, or null. */
export function moveTargetDisabledReason(entries: readonly FileEntry[], folderId: number, tree: Pick<Tree, "isIn">): string | null {
  const container = entries.find((entry) => entry.is_folder && tree.isIn(folderId, entry.id) === true);
  if (container) return t(container.id === folderId ? "moveIntoItself" : "moveIntoOwn", { name: container.name });
  return entries.every((entry) => entry.parent_id === folderId) ? t("moveNowhere") : null;
}

/** Why these cannot be deleted, or null. What lies in folders the service looks through. */
export function deleteDisabledReason(user: CurrentUser, entries: readonly FileEntry[]): string | null {
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  if (entries.some((entry) => isOwnedByOther(user, entry))) return t("deleteForeign");
  if (protectedEntry) return t(canRename(user) ? "deleteProtected" : "deleteProtectedGuest", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Those of them that are protected from removal and keep the others back. */
export const protectedEntries = (entries: readonly FileEntry[]): FileEntry[] => entries.filter((entry) => entry.removal_protection);
