/**
 * What is done with files: shown at once, put right by the answer, taken back where the service refuses.
 * Plain functions over the cache, so that what was begun goes on, and can be undone, wherever its person is by then.
 */
import type { QueryClient } from "@tanstack/react-query";
import { fileEntry, type FileEntry } from "../../../contract/file-records.ts";
import { ApiError } from "../../api/api-error.ts";
import * as api from "../../api/file-changes.ts";
import { randomId } from "../../lib/random-id.ts";
import { fileListKeys } from "../file-lists/keys.ts";
import { putEntry, putGone } from "../file-lists/put.ts";
import { renew } from "../renew.ts";

/** Once more where nobody answered: each of these says the same when it is said twice. */
async function surely<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError) || (error.kind !== "offline" && error.kind !== "timeout")) throw error;
    return ask();
  }
}

/** Shows `changed` in place of `entries` until the service has answered; newer news stays in either case. */
async function shown<T>(client: QueryClient, entries: readonly FileEntry[], show: () => void, ask: () => Promise<T>): Promise<T> {
  show();
  try {
    return await surely(ask);
  } catch (error) {
    for (const entry of entries) putEntry(client, entry);
    // Somebody else may have been faster: the service says how it stands.
    for (const id of new Set(entries.map(({ project_id }) => project_id))) renew(client, fileListKeys.project(id));
    throw error;
  }
}
const putAll = (client: QueryClient, entries: readonly FileEntry[]) => entries.forEach((entry) => putEntry(client, entry));

async function change(client: QueryClient, entry: FileEntry, wish: api.FileChange): Promise<FileEntry> {
  const show = () => putEntry(client, { ...entry, ...wish });
  const answer = await shown(client, [entry], show, () => api.updateFile(entry.id, wish));
  putEntry(client, answer);
  return answer;
}

export const renameEntry = (client: QueryClient, entry: FileEntry, name: string): Promise<FileEntry> => change(client, entry, { name });

export type Protections = Partial<Pick<FileEntry, "removal_protection" | "task_load_protection">>;
export const protectEntry = (client: QueryClient, entry: FileEntry, protections: Protections): Promise<FileEntry> => change(client, entry, protections);

/** Into one folder, all or none. */
export async function moveEntries(client: QueryClient, entries: readonly FileEntry[], to: number): Promise<void> {
  const moving = entries.filter(({ parent_id }) => parent_id !== to);
  if (moving.length === 0) return;
  const show = () =>
    putAll(
      client,
      moving.map((entry) => ({ ...entry, parent_id: to })),
    );
  const ids = moving.map(({ id }) => id);
  putAll(client, await shown(client, moving, show, () => api.moveFiles(ids, to)));
}

/** Back to where each of them was. */
export async function moveBack(client: QueryClient, entries: readonly FileEntry[]): Promise<void> {
  for (const [to, those] of Map.groupBy(entries, ({ parent_id }) => parent_id)) {
    if (to === null) continue;
    const ids = those.map(({ id }) => id);
    putAll(client, await surely(() => api.moveFiles(ids, to)));
  }
}

/** With all that is in them, all or none. */
export async function deleteEntries(client: QueryClient, entries: readonly FileEntry[]): Promise<void> {
  const ids = entries.map(({ id }) => id);
  const idempotencyKey = randomId();
  await shown(
    client,
    entries,
    () => ids.forEach((id) => putGone(client, id)),
    () => api.deleteFiles(ids, { idempotencyKey }),
  );
}

/** What was deleted, as it is now: a place or a name may have been taken meanwhile. */
export async function restoreEntries(client: QueryClient, ids: readonly number[]): Promise<FileEntry[]> {
  const back = await surely(() => api.restoreFiles([...ids]));
  putAll(client, back);
  return back;
}

/** A new folder; `key` names the wish, so that asking twice makes one. */
export async function createFolder(client: QueryClient, parent: FileEntry, name: string, key: string): Promise<FileEntry> {
  const folder = await surely(() => api.makeFolder(parent.id, name, { idempotencyKey: key }));
  const told = fileEntry.safeParse(folder);
  // The documented record says less than a listing shows; the live channel brings the rest.
  const entry = told.success
    ? told.data
    : { ...NEW_FOLDER, ...folder, project_id: parent.project_id, created_at: new Date().toISOString(), changed_at: new Date().toISOString() };
  putEntry(client, entry);
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
