/**
 * Actions on files: applied optimistically, corrected by the response, reverted when the service rejects it. They are plain functions over the
 * cache, so that an action continues, and can be undone, after the user navigates away.
 */
import { fileNameKey } from "../../../contract/file-order.ts";
import { fileEntry, type FileEntry } from "../../../contract/file-records.ts";
import * as operations from "../../../contract/operations/files-view.ts";
import { createFolder as createFolderOperation } from "../../../contract/operations/files.ts";
import type { ClientData } from "../../client/client.ts";
import { ApiError } from "../../api/api-error.ts";
import type { BodyOf } from "../../api/http.ts";
import { archiveUrl, assertDownloadAvailable } from "../../api/project-files.ts";
import { randomId } from "../../lib/random-id.ts";
import { invalidate } from "../query-client.ts";
import { upsertEntry, removeEntry } from "./cache-updates.ts";
import { fetchFolders } from "./file-list-queries.ts";
import type { Folder } from "./folder-tree.ts";
import { DELETED_FILES_KEY, fileListKeys } from "./list-query.ts";

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

/** Renames an entry, or switches its protections. */
export async function updateEntry(client: ClientData, entry: FileEntry, changes: BodyOf<typeof operations.updateFile>): Promise<FileEntry> {
  const applyOptimistic = () => upsertEntry(client, { ...entry, ...changes });
  const updated = await withOptimisticUpdate(client, [entry], applyOptimistic, () =>
    client.api.data(operations.updateFile, { params: { file_id: entry.id }, body: changes }),
  );
  upsertEntry(client, updated);
  return updated;
}

const requestMove = (client: ClientData, entries: readonly FileEntry[], folderId: number) =>
  client.api.data(operations.moveFiles, { body: { file_ids: entries.map(({ id }) => id), parent_id: folderId } });

/** Moves entries into one folder, all or none. */
export async function moveEntries(client: ClientData, entries: readonly FileEntry[], folderId: number): Promise<void> {
  const moving = entries.filter(({ parent_id }) => parent_id !== folderId);
  if (moving.length === 0) return;
  const applyOptimistic = () => moving.forEach((entry) => upsertEntry(client, { ...entry, parent_id: folderId }));
  upsertAll(client, await withOptimisticUpdate(client, moving, applyOptimistic, () => requestMove(client, moving, folderId)));
}

/** Moves each entry back to its previous folder. */
export async function undoMove(client: ClientData, entries: readonly FileEntry[]): Promise<void> {
  for (const [folderId, group] of Map.groupBy(entries, ({ parent_id }) => parent_id))
    if (folderId !== null) upsertAll(client, await repeatIfUnanswered(() => requestMove(client, group, folderId)));
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
  invalidate(client, DELETED_FILES_KEY);
}

/** Restores deleted entries and returns them as they are now, since their folder or name may have been taken meanwhile. */
export async function restoreEntries(client: ClientData, ids: readonly number[]): Promise<FileEntry[]> {
  const restored = await repeatIfUnanswered(() => client.api.data(operations.restoreFiles, { body: { file_ids: [...ids] } }));
  upsertAll(client, restored);
  invalidate(client, DELETED_FILES_KEY);
  return restored;
}

/** Creates a folder; `key` is the idempotency key, so that a retry creates no second one. */
export async function createFolder(client: ClientData, parent: FileEntry, name: string, key: string): Promise<FileEntry> {
  const folder = await repeatIfUnanswered(() => client.api.data(createFolderOperation, { body: { parent_id: parent.id, name } }, { idempotencyKey: key }));
  const now = new Date().toISOString();
  // The documented record has fewer fields than a listing shows; the live channel delivers the rest.
  const entry = fileEntry.safeParse(folder).data ?? { ...NEW_FOLDER, ...folder, project_id: parent.project_id, created_at: now, changed_at: now };
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

/** Finds the address from which the browser saves a zip of these entries, once the service confirms that it is available. `release` frees what it holds. */
export async function requestArchive({ api, media }: ClientData, entries: readonly FileEntry[], name: string): Promise<{ address: string; release(): void }> {
  const ids = entries.map(({ id }) => id);
  const url = archiveUrl(api, ids, name);
  if (!media.needsDownload(url)) await assertDownloadAvailable(api, url);
  return media.loadDownload(url);
}

/** Creates empty folders below a project's folder; folders with files are created by their uploads. */
export async function createFolders(client: ClientData, projectId: number, folderId: number, paths: readonly string[]): Promise<void> {
  await ensureFolders(folderId, paths, {
    load: () => fetchFolders(client.api, projectId),
    create: async (parentId, name) => {
      try {
        return await client.api.data(createFolderOperation, { body: { parent_id: parentId, name } }, { idempotencyKey: randomId() });
      } catch (error) {
        if (error instanceof ApiError && error.status === 409) return null;
        throw error;
      }
    },
  });
  invalidate(client, fileListKeys.project(projectId));
}

/** Returns a key that is equal for paths whose names differ only in case or Unicode form, by the service's rule. */
const pathKey = (segments: readonly string[]): string => segments.map(fileNameKey).join("/");

/** Returns every folder on the way to each of `paths`, without duplicates, parents first. */
export function ancestorPaths(paths: readonly string[]): string[][] {
  const ancestors = paths.flatMap((path) => {
    const segments = path.split("/").filter(Boolean);
    return segments.map((_, index) => segments.slice(0, index + 1));
  });
  return [...Map.groupBy(ancestors, pathKey).values()].map(([first]) => first!).toSorted((a, b) => a.length - b.length);
}

interface FolderService {
  /** Returns every folder that the service has now. */
  load(): Promise<readonly Folder[]>;
  /** Returns the new folder; null when its name is taken by now. */
  create(parentId: number, name: string): Promise<Folder | null>;
}

/** Creates the missing folders below `rootId`, parents first, and uses those that others create meanwhile. */
export async function ensureFolders(rootId: number, paths: readonly string[], { load, create }: FolderService): Promise<void> {
  let folders = await load();
  const ids = new Map([["", rootId]]);
  for (const segments of ancestorPaths(paths)) {
    const parentId = ids.get(pathKey(segments.slice(0, -1)));
    if (parentId === undefined) continue;
    const name = segments.at(-1)!;
    const find = () => folders.find((candidate) => candidate.parent_id === parentId && pathKey([candidate.name]) === pathKey([name]));
    let folder = find() ?? (await create(parentId, name));
    if (!folder) {
      // The name was taken after the listing: use a folder of that name; if a file has the name, the folder cannot be created.
      folders = await load();
      folder = find() ?? null;
    }
    if (folder) ids.set(pathKey(segments), folder.id);
  }
}
