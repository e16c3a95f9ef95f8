/** Runs the file actions: moves, deletions and protection are optimistic, with a toast that outlasts the view and rollback on rejection or undo. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { ClientData } from "../../../client/client.ts";
import { copyToClipboard, saveFrom } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { t as tMedia } from "../../../lib/texts/media.ts";
import { t as tMetadata } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import * as mutations from "../../../queries/file-lists/file-mutations.ts";
import type { FolderHierarchy } from "../../../queries/file-lists/folder-tree.ts";
import { originalFileUrl } from "../../../queries/files/use-file.ts";
import { requestTaggedArchive, requestTaggedCopy } from "../../../queries/metadata/metadata-files.ts";
import { can, type CurrentUser } from "../../../queries/permissions.ts";
import type { Toasts } from "../../../ui/toast.ts";
import { folderName } from "../entry-labels.ts";
import { folderPath } from "../url-state.ts";
import { deleteDisabledReason, moveDisabledReason, moveTargetDisabledReason } from "./available-actions.tsx";

/** What every operation needs. */
export interface OperationContext {
  client: ClientData;
  user: CurrentUser;
  toasts: Toasts;
  tree: FolderHierarchy<FileEntry>;
}

interface UndoableOperation<T> {
  /** The text while the operation can be undone. */
  text: string;
  operation: Promise<unknown>;
  undo(): Promise<T>;
  /** Returns the text after the undo. */
  describeUndone(result: T): string;
  failed: "notMoved" | "notDeleted";
  undoFailed: "moveNotUndone" | "notRestored";
}

/** Offers to undo an operation that has begun, and withdraws the offer if the service rejects it. */
async function offerUndo<T>(toasts: Toasts, { text, operation, undo, describeUndone, failed, undoFailed }: UndoableOperation<T>): Promise<void> {
  const showFailure = (message: typeof failed | typeof undoFailed) => (error: unknown) => toasts.showError(t(message, { reason: formatErrorReason(error) }));
  const withdrawUndo = toasts.offerUndo(text, t("undo"), () => {
    operation.then(undo).then((result) => void toasts.show({ text: describeUndone(result) }), showFailure(undoFailed));
  });
  await operation.catch((error: unknown) => {
    withdrawUndo();
    showFailure(failed)(error);
  });
}

/** Moves entries into a folder, or shows why they cannot be moved. */
export async function moveEntries(context: OperationContext, entries: readonly FileEntry[], target: { id: number; name: string }): Promise<void> {
  const { client, user, toasts, tree } = context;
  const disabledReason = moveDisabledReason(user, entries, tree);
  if (disabledReason !== null) return explainProtected(context, entries, disabledReason);
  const targetDisabledReason = moveTargetDisabledReason(entries, target.id, tree);
  if (targetDisabledReason !== null) return toasts.showError(targetDisabledReason);
  const moved = entries.filter(({ parent_id }) => parent_id !== target.id);
  await offerUndo(toasts, {
    text: t("moved", { ...countAndName(moved), folder: target.name }),
    operation: mutations.moveEntries(client, moved, target.id),
    undo: () => mutations.undoMove(client, moved),
    describeUndone: () => t("moveUndone"),
    failed: "notMoved",
    undoFailed: "moveNotUndone",
  });
}

/** Deletes entries, or shows why they cannot be deleted. */
export async function deleteEntries(context: OperationContext, entries: readonly FileEntry[]): Promise<void> {
  const { client, user, toasts, tree } = context;
  const disabledReason = deleteDisabledReason(user, entries, tree);
  if (disabledReason !== null) return explainProtected(context, entries, disabledReason);
  const ids = entries.map(({ id }) => id);
  await offerUndo(toasts, {
    text: t("deleted", countAndName(entries)),
    operation: mutations.deleteEntries(client, entries),
    undo: () => mutations.restoreEntries(client, ids),
    describeUndone: (restored) => formatRestored(entries, restored, tree),
    failed: "notDeleted",
    undoFailed: "notRestored",
  });
}

/** Describes the restored entries, including the first one whose folder or name has changed. */
function formatRestored(deleted: readonly FileEntry[], restored: readonly FileEntry[], tree: OperationContext["tree"]): string {
  for (const previous of deleted) {
    const current = restored.find(({ id }) => id === previous.id);
    if (!current) continue;
    const folder = tree.get(current.parent_id ?? 0);
    if (current.parent_id !== previous.parent_id) return t("restoredIn", { name: previous.name, folder: folder ? folderName(folder) : "" });
    if (current.name !== previous.name) return t("restoredAs", { name: previous.name, now: current.name });
  }
  return t("restored", countAndName(deleted));
}

/** Downloads one file as is, and folders or several entries as one zip. */
export async function downloadEntries({ client, toasts }: OperationContext, entries: readonly FileEntry[], archiveName: string): Promise<void> {
  const file = singleFile(entries);
  if (!file) return saveZip({ client, toasts }, entries, archiveName, (name) => mutations.requestArchive(client, entries, name));
  try {
    const { address, release } = await client.media.loadDownload(originalFileUrl(client.api, file));
    saveFrom(address, "", release);
  } catch (error) {
    toasts.showError(tMedia("downloadFailed", { name: file.name, reason: formatErrorReason(error) }));
  }
}

/** Downloads the same with the metadata as tags. */
export async function downloadTagged({ client, toasts }: OperationContext, entries: readonly FileEntry[], archiveName: string): Promise<void> {
  const file = singleFile(entries);
  const ids = entries.map(({ id }) => id);
  if (!file) return saveZip({ client, toasts }, entries, archiveName, (name) => requestTaggedArchive(client, ids, name));
  try {
    const { address, release } = await requestTaggedCopy(client, file, null);
    saveFrom(address, client.api.hasToken ? file.name : "", release);
  } catch (error) {
    toasts.showError(tMetadata("downloadFailed", { name: file.name, reason: formatErrorReason(error) }));
  }
}

const singleFile = (entries: readonly FileEntry[]): FileEntry | undefined => (entries.length === 1 && !entries[0]?.is_folder ? entries[0] : undefined);

async function saveZip(
  { client, toasts }: Pick<OperationContext, "client" | "toasts">,
  entries: readonly FileEntry[],
  archiveName: string,
  request: (name: string) => Promise<{ address: string; release(): void }>,
): Promise<void> {
  const name = entries.length === 1 ? (entries[0]?.name ?? archiveName) : archiveName;
  try {
    const archive = request(name);
    // With a token the zip is complete before the browser saves it, so the text comes first.
    if (client.api.hasToken) toasts.show({ text: t("preparingZip", { name }) });
    const { address, release } = await archive;
    saveFrom(address, client.api.hasToken ? `${name}.zip` : "", release);
    if (!client.api.hasToken) toasts.show({ text: t("preparingZip", { name }) });
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

export async function updateProtection(
  { client, toasts }: Pick<OperationContext, "client" | "toasts">,
  entry: FileEntry,
  protections: Partial<Pick<FileEntry, "removal_protection" | "task_load_protection">>,
): Promise<void> {
  await mutations.updateEntry(client, entry, protections).catch((error: unknown) => toasts.showError(formatErrorReason(error)));
}

/** Shows why the action is blocked, and offers to remove the protection if the user may do so. */
function explainProtected(context: OperationContext, entries: readonly FileEntry[], text: string): void {
  const { user, toasts } = context;
  const lockedEntries = entries.filter((entry) => entry.removal_protection);
  if (lockedEntries.length === 0 || !can(user, "file.edit")) return toasts.showError(text);
  const run = () => void Promise.all(lockedEntries.map((entry) => updateProtection(context, entry, { removal_protection: false })));
  toasts.show({ text, tone: "danger", action: { label: t("unprotect"), run } });
}

const countAndName = (entries: readonly FileEntry[]) => ({ count: entries.length, name: entries[0]?.name ?? "" });
