/** Returns why actions on file entries are not offered. */
import type { FileEntry } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { fileFacts, isAllowed, type RuleFor } from "../../../contract/policy.ts";
import { t } from "../../lib/texts/file-actions.ts";
import type { CurrentUser } from "../permissions.ts";
import type { FolderHierarchy } from "./folder-tree.ts";

/** Returns why the entries are too many for one request, or null. */
export const tooManyReason = (entries: readonly FileEntry[]) =>
  entries.length > LIMITS.files_per_request ? t("tooMany", { most: LIMITS.files_per_request }) : null;

/** Returns whether the policy allows the user this action on every entry. The service also checks the contents of folders. */
export const isAllowedForAll = (rule: RuleFor<ReturnType<typeof fileFacts>>, { role, accountId }: CurrentUser, entries: readonly FileEntry[]): boolean =>
  entries.every((entry) => isAllowed(rule, role, fileFacts(entry, accountId)));

/** Returns why the entries cannot be moved at all, or null. */
export function moveDisabledReason(user: CurrentUser, entries: readonly FileEntry[]): string | null {
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  if (!isAllowedForAll("file.move", user, entries)) return t("guestCannotMove");
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
  if (!isAllowedForAll("file.delete", user, entries)) return t("guestCannotDelete");
  if (protectedEntry) return t(isAllowed("file.edit", user.role) ? "deleteProtected" : "deleteProtectedGuest", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Returns the entries whose removal protection blocks the whole selection. */
export const protectedEntries = (entries: readonly FileEntry[]): FileEntry[] => entries.filter((entry) => entry.removal_protection);
