/**
 * Actions on files: applied optimistically, corrected by the response, reverted when the service rejects it. They are plain functions over the
 * cache, so that an action continues, and can be undone, after the user navigates away.
 */
import { fileEntry, type FileEntry } from "../../../contract/file-records.ts";
import * as operations from "../../../contract/operations/files-view.ts";
import { createFolder as createFolderOperation } from "../../../contract/operations/files.ts";
import type { ClientData } from "../../client/client.ts";
import { ApiError } from "../../api/api-error.ts";
import type { BodyOf } from "../../api/http.ts";
import { randomId } from "../../lib/random-id.ts";
import { invalidate } from "../query-client.ts";
import { upsertEntry, removeEntry } from "./cache-updates.ts";
import { fileListKeys } from "./list-query.ts";

/** Retries a request once when no response arrived; every request here is idempotent. */
async function repeatIfUnanswered<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || (error.kind !== "offline" && error.kind !== "timeout")) throw error;
    return request();
  }
}

/** Applies an optimistic update during `request` and restores `entries` on error; newer revisions win in either case. */
async function withOptimisticUpdate<T>(client: ClientData, entries: readonly FileEntry[], applyOptimistic: () => void, request: () => Promise<T>): Promise<T> {
  applyOptimistic();
  try {
    return await repeatIfUnanswered(request);
  } catch (error) {
    for (const entry of entries) upsertEntry(client, entry);
    // Somebody else may have changed the entries first, so the lists are fetched again.
    for (const id of new Set(entries.map(({ project_id }) => project_id))) invalidate(client, fileListKeys.project(id));
    throw error;
  }
}
const upsertAll = (client: ClientData, entries: readonly FileEntry[]) => entries.forEach((entry) => upsertEntry(client, entry));

async function updateEntry(client: ClientData, entry: FileEntry, changes: BodyOf<typeof operations.updateFile>): Promise<FileEntry> {
  const applyOptimistic = () => upsertEntry(client, { ...entry, ...changes });
  const updated = await withOptimisticUpdate(client, [entry], applyOptimistic, () =>
    client.api.data(operations.updateFile, { params: { file_id: entry.id }, body: changes }),
  );
  upsertEntry(client, updated);
  return updated;
}

export const renameEntry = (client: ClientData, entry: FileEntry, name: string): Promise<FileEntry> => updateEntry(client, entry, { name });

export type Protections = Partial<Pick<FileEntry, "removal_protection" | "task_load_protection">>;
export const protectEntry = (client: ClientData, entry: FileEntry, protections: Protections): Promise<FileEntry> => updateEntry(client, entry, protections);

/** Moves entries into one folder, all or none. */
export async function moveEntries(client: ClientData, entries: readonly FileEntry[], folderId: number): Promise<void> {
  const moving = entries.filter(({ parent_id }) => parent_id !== folderId);
  if (moving.length === 0) return;
  const applyOptimistic = () =>
    upsertAll(
      client,
      moving.map((entry) => ({ ...entry, parent_id: folderId })),
    );
  const ids = moving.map(({ id }) => id);
  upsertAll(
    client,
    await withOptimisticUpdate(client, moving, applyOptimistic, () => client.api.data(operations.moveFiles, { body: { file_ids: ids, parent_id: folderId } })),
  );
}

/** Moves each entry back to its previous folder. */
export async function undoMove(client: ClientData, entries: readonly FileEntry[]): Promise<void> {
  for (const [folderId, group] of Map.groupBy(entries, ({ parent_id }) => parent_id)) {
    if (folderId === null) continue;
    const ids = group.map(({ id }) => id);
    upsertAll(client, await repeatIfUnanswered(() => client.api.data(operations.moveFiles, { body: { file_ids: ids, parent_id: folderId } })));
  }
}

/** Deletes entries with everything below them, all or none. */
export async function deleteEntries(client: ClientData, entries: readonly FileEntry[]): Promise<void> {
  const ids = entries.map(({ id }) => id);
  const idempotencyKey = randomId();
  await withOptimisticUpdate(
    client,
    entries,
    () => ids.forEach((id) => removeEntry(client, id)),
    () => client.api.data(operations.deleteFiles, { body: { file_ids: ids } }, { idempotencyKey }),
  );
}

/** Restores deleted entries and returns them as they are now, since their folder or name may have been taken meanwhile. */
export async function restoreEntries(client: ClientData, ids: readonly number[]): Promise<FileEntry[]> {
  const restored = await repeatIfUnanswered(() => client.api.data(operations.restoreFiles, { body: { file_ids: [...ids] } }));
  upsertAll(client, restored);
  return restored;
}

/** Creates a folder; `key` is the idempotency key, so that a retry creates no second one. */
export async function createFolder(client: ClientData, parent: FileEntry, name: string, key: string): Promise<FileEntry> {
  const folder = await repeatIfUnanswered(() => client.api.data(createFolderOperation, { body: { parent_id: parent.id, name } }, { idempotencyKey: key }));
  const parsed = fileEntry.safeParse(folder);
  // The documented record has fewer fields than a listing shows; the live channel delivers the rest.
  const entry = parsed.success
    ? parsed.data
    : { ...NEW_FOLDER, ...folder, project_id: parent.project_id, created_at: new Date().toISOString(), changed_at: new Date().toISOString() };
  upsertEntry(client, entry);
  return entry;
}

const NEW_FOLDER = {
  kind: "folder" as const,
  account_id: 0,
  version: 0,
  duration: 0,
  bpm: 0,
  key: null,
  tags: [],
  status: null,
  transcoding_status: "transcoded",
  failure: null,
  thumbnail_url: null,
  item_count: 0,
  revision: 0,
};
