/** Computes the actions for a selection. Actions that are never allowed are omitted, and actions that are blocked now have a reason. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { deleteDisabledReason, canRename, moveDisabledReason, tooManyReason, type CurrentUser } from "../../../queries/file-actions/permissions.ts";

export type Action = "open" | "download" | "rename" | "move" | "status" | "versions" | "addVersion" | "protection" | "copyLink" | "delete";

export interface AvailableAction {
  action: Action;
  /** Why the action is disabled now, or null. */
  disabledReason: string | null;
}

export function computeAvailableActions(entries: readonly FileEntry[], user: CurrentUser, uploadDisabledReason: string | null): AvailableAction[] {
  const [first] = entries;
  if (!first) return [];
  const isSingle = entries.length === 1;
  const canChange = canRename(user);
  const candidates: (AvailableAction & { isVisible: boolean })[] = [
    { action: "open", isVisible: isSingle, disabledReason: null },
    { action: "download", isVisible: true, disabledReason: tooManyReason(entries) },
    { action: "rename", isVisible: isSingle && canChange, disabledReason: null },
    { action: "move", isVisible: true, disabledReason: moveDisabledReason(user, entries) },
    { action: "status", isVisible: canChange && entries.some(({ is_folder }) => !is_folder), disabledReason: tooManyReason(entries) },
    { action: "versions", isVisible: isSingle && !first.is_folder, disabledReason: null },
    { action: "addVersion", isVisible: isSingle && !first.is_folder, disabledReason: uploadDisabledReason },
    { action: "protection", isVisible: isSingle && canChange, disabledReason: null },
    { action: "copyLink", isVisible: true, disabledReason: null },
    { action: "delete", isVisible: true, disabledReason: deleteDisabledReason(user, entries) },
  ];
  // The project's root folder cannot be renamed, moved, protected, or deleted.
  const blockedActions: ReadonlySet<Action> = first.parent_id === null ? new Set(["rename", "move", "protection", "delete"]) : new Set();
  return candidates
    .filter(({ action, isVisible }) => isVisible && !blockedActions.has(action))
    .map(({ action, disabledReason }) => ({ action, disabledReason }));
}
