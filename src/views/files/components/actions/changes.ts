/** Moves, deletes, and protects entries optimistically, with a toast that outlasts the view and rollback on rejection or undo. */
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import {
  deleteDisabledReason,
  canRename,
  moveDisabledReason,
  moveTargetDisabledReason,
  protectedEntries,
  type CurrentUser,
} from "../../../../queries/file-actions/permissions.ts";
import type { FileMutations } from "../../../../queries/file-actions/use-file-acts.ts";
import type { Tree } from "../../../../queries/file-lists/tree.ts";
import { describeError } from "../../../../queries/problems.ts";
import { showToast } from "../../../../ui/toast.ts";
import { offerUndo } from "./undo.ts";

/** Formats an error as one or two sentences. */
export function formatErrorReason(error: unknown): string {
  const { title, help } = describeError(error);
  const sentence = /[.!?]$/.test(title) ? title : `${title}.`;
  return help === undefined ? sentence : `${sentence} ${help}`;
}
const showError = (text: string) => void showToast({ text, tone: "bad" });
const countAndName = (entries: readonly FileEntry[]) => ({ count: entries.length, name: entries[0]?.name ?? "" });

export function updateProtection(mutations: FileMutations, entry: FileEntry, protections: Parameters<FileMutations["protectEntry"]>[1]): Promise<void> {
  return mutations.protectEntry(entry, protections).then(
    () => undefined,
    (error: unknown) => showError(formatErrorReason(error)),
  );
}

/** Shows why the action is blocked, and offers to remove the protection if the user may do so. */
function explainProtected(mutations: FileMutations, user: CurrentUser, entries: readonly FileEntry[], text: string): void {
  const lockedEntries = protectedEntries(entries);
  if (lockedEntries.length === 0 || !canRename(user)) return showError(text);
  const run = () => void Promise.all(lockedEntries.map((entry) => updateProtection(mutations, entry, { removal_protection: false })));
  showToast({ text, tone: "bad", action: { label: t("unprotect"), run } });
}

/** Moves entries into a folder, or shows why it cannot. */
export async function moveEntries(
  mutations: FileMutations,
  user: CurrentUser,
  entries: readonly FileEntry[],
  target: { id: number; name: string },
  tree: Tree,
): Promise<void> {
  const disabledReason = moveDisabledReason(user, entries);
  if (disabledReason !== null) return explainProtected(mutations, user, entries, disabledReason);
  const targetDisabledReason = moveTargetDisabledReason(entries, target.id, tree);
  if (targetDisabledReason !== null) return showError(targetDisabledReason);
  const movedEntries = entries.filter(({ parent_id }) => parent_id !== target.id);
  const operation = mutations.moveEntries(movedEntries, target.id);
  const withdrawUndo = offerUndo(user.accountId, t("moved", { ...countAndName(movedEntries), folder: target.name }), () => {
    operation
      .then(() => mutations.undoMove(movedEntries))
      .then(
        () => void showToast({ text: t("moveUndone") }),
        (error: unknown) => showError(t("moveNotUndone", { reason: formatErrorReason(error) })),
      );
  });
  await operation.catch((error: unknown) => {
    withdrawUndo();
    showError(t("notMoved", { reason: formatErrorReason(error) }));
  });
}

/** Deletes entries, or shows why it cannot. `nameOfFolder` names the folder an entry was restored to. */
export async function deleteEntries(
  mutations: FileMutations,
  user: CurrentUser,
  entries: readonly FileEntry[],
  nameOfFolder: (id: number) => string | undefined,
): Promise<void> {
  const disabledReason = deleteDisabledReason(user, entries);
  if (disabledReason !== null) return explainProtected(mutations, user, entries, disabledReason);
  const operation = mutations.deleteEntries(entries);
  const withdrawUndo = offerUndo(user.accountId, t("deleted", countAndName(entries)), () => {
    operation
      .then(() => mutations.restoreEntries(entries.map(({ id }) => id)))
      .then(
        (restored) => void showToast({ text: formatRestored(entries, restored, nameOfFolder) }),
        (error: unknown) => showError(t("notRestored", { reason: formatErrorReason(error) })),
      );
  });
  await operation.catch((error: unknown) => {
    withdrawUndo();
    showError(t("notDeleted", { reason: formatErrorReason(error) }));
  });
}

/** Describes the restored entries, including the first one whose folder or name has changed. */
export function formatRestored(deleted: readonly FileEntry[], restored: readonly FileEntry[], nameOfFolder: (id: number) => string | undefined): string {
  for (const previous of deleted) {
    const current = restored.find(({ id }) => id === previous.id);
    if (!current) continue;
    if (current.parent_id !== previous.parent_id) return t("restoredIn", { name: previous.name, folder: nameOfFolder(current.parent_id ?? 0) ?? "" });
    if (current.name !== previous.name) return t("restoredAs", { name: previous.name, now: current.name });
  }
  return t("restored", countAndName(deleted));
}
