/** Decides which actions on file entries to offer, and why not; the service checks every request again. */
import type { FileEntry } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Role } from "../../../contract/records.ts";
import { t } from "../../lib/texts/file-actions.ts";
import type { FolderHierarchy } from "./folder-tree.ts";

export interface CurrentUser {
  accountId: number;
  role: Role;
}

/** Returns why the entries are too many for one request, or null. */
export const tooManyReason = (entries: readonly FileEntry[]) =>
  entries.length > LIMITS.files_per_request ? t("tooMany", { most: LIMITS.files_per_request }) : null;
/** Guests may move and delete only their own entries. */
const isOwnedByOther = ({ role, accountId }: CurrentUser, entry: FileEntry) => role === "guest" && entry.account_id !== accountId;

/** Guests may not rename or protect entries, or set statuses. */
export const canRename = ({ role }: CurrentUser): boolean => role !== "guest";

/** Returns why the entries cannot be moved at all, or null. */
export function moveDisabledReason(user: CurrentUser, entries: readonly FileEntry[]): string | null {
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  if (entries.some((entry) => isOwnedByOther(user, entry))) return t("guestCannotMove");
  if (protectedEntry) return t("moveProtected", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Returns why the entries cannot be moved into this folder, or null. */
export function moveTargetDisabledReason(entries: readonly FileEntry[], folderId: number, tree: Pick<FolderHierarchy, "isIn">): string | null {
  const container = entries.find((entry) => entry.is_folder && tree.isIn(folderId, entry.id) === true);
  if (container) return t(container.id === folderId ? "moveIntoItself" : "moveIntoSubfolder", { name: container.name });
  return entries.every((entry) => entry.parent_id === folderId) ? t("alreadyInFolder") : null;
}

/** Returns why the entries cannot be deleted, or null. The service checks the contents of folders. */
export function deleteDisabledReason(user: CurrentUser, entries: readonly FileEntry[]): string | null {
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  if (entries.some((entry) => isOwnedByOther(user, entry))) return t("guestCannotDelete");
  if (protectedEntry) return t(canRename(user) ? "deleteProtected" : "deleteProtectedGuest", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Returns the entries whose removal protection blocks the whole selection. */
export const protectedEntries = (entries: readonly FileEntry[]): FileEntry[] => entries.filter((entry) => entry.removal_protection);
