/** Runs the file actions: moves, deletions and protection are optimistic, with a toast that outlasts the view and rollback on rejection or undo. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { isAllowed } from "../../../../contract/policy.ts";
import { copyToClipboard } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import type { FolderHierarchy } from "../../../queries/file-lists/folder-tree.ts";
import { deleteDisabledReason, moveDisabledReason, moveTargetDisabledReason, protectedEntries } from "../../../queries/file-lists/permissions.ts";
import type { FileMutations } from "../../../queries/file-lists/use-file-mutations.ts";
import { originalFileUrl } from "../../../queries/files/use-file.ts";
import type { CurrentUser } from "../../../queries/permissions.ts";
import type { Toasts } from "../../../ui/toast.ts";
import { folderPath } from "../url-state.ts";

/** What every operation needs. */
export interface OperationContext {
  mutations: FileMutations;
  user: CurrentUser;
  toasts: Toasts;
}

/** Moves entries into a folder, or shows why they cannot be moved. */
export async function moveEntries(
  context: OperationContext,
  entries: readonly FileEntry[],
  target: { id: number; name: string },
  tree: FolderHierarchy,
): Promise<void> {
  const { mutations, user, toasts } = context;
  const disabledReason = moveDisabledReason(user, entries);
  if (disabledReason !== null) return explainProtected(context, entries, disabledReason);
  const targetDisabledReason = moveTargetDisabledReason(entries, target.id, tree);
  if (targetDisabledReason !== null) return toasts.showError(targetDisabledReason);
  const movedEntries = entries.filter(({ parent_id }) => parent_id !== target.id);
  const operation = mutations.moveEntries(movedEntries, target.id);
  const withdrawUndo = toasts.offerUndo(t("moved", { ...countAndName(movedEntries), folder: target.name }), t("undo"), () => {
    operation
      .then(() => mutations.undoMove(movedEntries))
      .then(
        () => void toasts.show({ text: t("moveUndone") }),
        (error: unknown) => toasts.showError(t("moveNotUndone", { reason: formatErrorReason(error) })),
      );
  });
  await operation.catch((error: unknown) => {
    withdrawUndo();
    toasts.showError(t("notMoved", { reason: formatErrorReason(error) }));
  });
}

/** Deletes entries, or shows why they cannot be deleted. `nameOfFolder` returns the name of a folder that an entry is restored to. */
export async function deleteEntries(context: OperationContext, entries: readonly FileEntry[], nameOfFolder: (id: number) => string | undefined): Promise<void> {
  const { mutations, user, toasts } = context;
  const disabledReason = deleteDisabledReason(user, entries);
  if (disabledReason !== null) return explainProtected(context, entries, disabledReason);
  const operation = mutations.deleteEntries(entries);
  const withdrawUndo = toasts.offerUndo(t("deleted", countAndName(entries)), t("undo"), () => {
    operation
      .then(() => mutations.restoreEntries(entries.map(({ id }) => id)))
      .then(
        (restored) => void toasts.show({ text: formatRestored(entries, restored, nameOfFolder) }),
        (error: unknown) => toasts.showError(t("notRestored", { reason: formatErrorReason(error) })),
      );
  });
  await operation.catch((error: unknown) => {
    withdrawUndo();
    toasts.showError(t("notDeleted", { reason: formatErrorReason(error) }));
  });
}

/** Describes the restored entries, including the first one whose folder or name has changed. */
function formatRestored(deleted: readonly FileEntry[], restored: readonly FileEntry[], nameOfFolder: (id: number) => string | undefined): string {
  for (const previous of deleted) {
    const current = restored.find(({ id }) => id === previous.id);
    if (!current) continue;
    if (current.parent_id !== previous.parent_id) return t("restoredIn", { name: previous.name, folder: nameOfFolder(current.parent_id ?? 0) ?? "" });
    if (current.name !== previous.name) return t("restoredAs", { name: previous.name, now: current.name });
  }
  return t("restored", countAndName(deleted));
}

function downloadUrl(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

/** Downloads one file as is, and folders or several entries as one zip after the service has confirmed the archive. */
export async function downloadEntries({ mutations, toasts }: OperationContext, entries: readonly FileEntry[], folderName: string): Promise<void> {
  const [first] = entries;
  if (!first) return;
  if (entries.length === 1 && !first.is_folder) return downloadUrl(originalFileUrl(first));
  const name = entries.length === 1 ? first.name : folderName;
  const url = mutations.archiveUrl(
    entries.map(({ id }) => id),
    name,
  );
  try {
    await mutations.assertArchiveAvailable(url);
    downloadUrl(url);
    toasts.show({ text: t("preparingZip", { name }) });
  } catch (error) {
    toasts.showError(t("zipFailed", { reason: formatErrorReason(error) }));
  }
}

/** Copies the URLs of the entries, one per line. */
export async function copyLinks({ toasts }: Pick<OperationContext, "toasts">, entries: readonly FileEntry[], projectId: number): Promise<void> {
  const urls = entries.map((entry) => new URL(entry.is_folder ? folderPath(projectId, entry.id) : `/files/${entry.id}`, location.origin).href);
  if (await copyToClipboard(urls.join("\n"))) toasts.show({ text: t("linkCopied", { count: entries.length }) });
  else toasts.showError(t("notCopied"));
}

export function updateProtection(
  { mutations, toasts }: Pick<OperationContext, "mutations" | "toasts">,
  entry: FileEntry,
  protections: Parameters<FileMutations["protectEntry"]>[1],
): Promise<void> {
  return mutations.protectEntry(entry, protections).then(
    () => undefined,
    (error: unknown) => toasts.showError(formatErrorReason(error)),
  );
}

/** Shows why the action is blocked, and offers to remove the protection if the user may do so. */
function explainProtected(context: OperationContext, entries: readonly FileEntry[], text: string): void {
  const { user, toasts } = context;
  const lockedEntries = protectedEntries(entries);
  if (lockedEntries.length === 0 || !isAllowed("file.edit", user.role)) return toasts.showError(text);
  const run = () => void Promise.all(lockedEntries.map((entry) => updateProtection(context, entry, { removal_protection: false })));
  toasts.show({ text, tone: "danger", action: { label: t("unprotect"), run } });
}

const countAndName = (entries: readonly FileEntry[]) => ({ count: entries.length, name: entries[0]?.name ?? "" });
