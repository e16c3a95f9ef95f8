import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../app/create-client.ts";
import { ApiError, offlineError } from "../../api/api-error.ts";
import * as operations from "../../../contract/operations/files-view.ts";
import { createFolder as createFolderOperation } from "../../../contract/operations/files.ts";
import type { CallOptions } from "../../api/http.ts";
import { stubOperation, stubOperations } from "../../api/operations.fixture.ts";
import { upsertEntry } from "./cache-updates.ts";
import { buildEntry } from "./entry.fixture.ts";
import { createFolder, deleteEntries, undoMove, moveEntries, restoreEntries, updateEntry } from "./file-mutations.ts";
import { fileListKeys, type FileListQuery, NO_FILTER } from "./list-query.ts";
import { toListing, type Listing } from "./listing.ts";

/** Responds to an operation with its `data`. */
const respond = () => vi.fn<(input: { body: unknown }, options: CallOptions) => Promise<unknown>>();
const api = { updateFile: respond(), moveFiles: respond(), deleteFiles: respond(), restoreFiles: respond(), createFolder: respond() };

const conflictError = new ApiError({ kind: "problem", status: 409, title: "Conflict", detail: "A file or folder with this name already exists here." });
const folder = (id: number, parent_id: number | null, name: string) => buildEntry(id, { is_folder: true, kind: "folder", parent_id, name, item_count: 0 });
const [a, b] = [buildEntry(7, { name: "a.wav" }), buildEntry(8, { name: "b.wav" })];
const stems = folder(2, 1, "Stems");

let client: Client;
const buildQuery = (folderId: number): FileListQuery => ({ ...NO_FILTER, folderId, isFlat: false, fields: [], sort: "name", sortField: null, order: "asc" });
const setListing = (folderId: number, entries: FileEntry[]) =>
  client.queryClient.setQueryData<Listing>(fileListKeys.list(1, buildQuery(folderId)), toListing({ data: entries, next_cursor: null }));
const namesIn = (folderId: number) => client.queryClient.getQueryData<Listing>(fileListKeys.list(1, buildQuery(folderId)))!.entries.map(({ name }) => name);
const folders = () => client.queryClient.getQueryData<FileEntry[]>(fileListKeys.folders(1))!.map(({ name }) => name);
const isStale = (folderId: number) => client.queryClient.getQueryState(fileListKeys.list(1, buildQuery(folderId)))!.isInvalidated;

/** Creates a response that the test settles. */
function deferred<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { promise, resolve, reject };
}

beforeEach(() => {
  vi.resetAllMocks();
  client = createClient();
  stubOperations(client.api, [
    stubOperation(operations.updateFile, async (...call) => ({ data: await api.updateFile(...call) })),
    stubOperation(operations.moveFiles, async (...call) => ({ data: await api.moveFiles(...call) })),
    stubOperation(operations.deleteFiles, async (...call) => ({ data: await api.deleteFiles(...call) })),
    stubOperation(operations.restoreFiles, async (...call) => ({ data: await api.restoreFiles(...call) })),
    stubOperation(createFolderOperation, async (...call) => ({ data: await api.createFolder(...call) })),
  ]);
  client.queryClient.setQueryData(fileListKeys.folders(1), [folder(1, null, "Project"), stems]);
  setListing(1, [stems, a, b]);
  setListing(2, []);
});

describe("a change shows before the response, and is rolled back when it is rejected", () => {
  test("renaming", async () => {
    const response = deferred<FileEntry>();
    api.updateFile.mockReturnValueOnce(response.promise);
    const done = updateEntry(client, a, { name: "z.wav" });
    expect(namesIn(1)).toEqual(["Stems", "b.wav", "z.wav"]);
    response.reject(conflictError);
    await expect(done).rejects.toBe(conflictError);
    expect([namesIn(1), isStale(1)]).toEqual([["Stems", "a.wav", "b.wav"], true]);
  });

  test("another account's change stays when the user's own change is rejected", async () => {
    const response = deferred<FileEntry>();
    api.updateFile.mockReturnValueOnce(response.promise);
    const done = updateEntry(client, a, { name: "mine.wav" });
    upsertEntry(client, { ...a, name: "theirs.wav", revision: 2 });
    response.reject(conflictError);
    await expect(done).rejects.toBe(conflictError);
    expect(namesIn(1)).toContain("theirs.wav");
  });

  test("a response older than the cache changes nothing", async () => {
    const response = deferred<FileEntry>();
    api.updateFile.mockReturnValueOnce(response.promise);
    const done = updateEntry(client, a, { name: "mine.wav" });
    upsertEntry(client, { ...a, name: "theirs.wav", revision: 3 });
    response.resolve({ ...a, name: "mine.wav", revision: 2 });
    await done;
    expect(namesIn(1)).toContain("theirs.wav");
  });

  test("moving to another folder and back", async () => {
    const response = deferred<FileEntry[]>();
    api.moveFiles.mockReturnValueOnce(response.promise);
    const done = moveEntries(client, [a, b], 2);
    expect([namesIn(1), namesIn(2)]).toEqual([["Stems"], ["a.wav", "b.wav"]]);
    response.resolve([a, b].map((entry) => ({ ...entry, parent_id: 2, revision: 2 })));
    await done;
    api.moveFiles.mockResolvedValueOnce([a, b].map((entry) => ({ ...entry, revision: 3 })));
    await undoMove(client, [a, b]);
    expect(api.moveFiles.mock.calls.map(([{ body }]) => body)).toEqual([2, 1].map((parent_id) => ({ file_ids: [7, 8], parent_id })));
    expect([namesIn(1), namesIn(2)]).toEqual([["Stems", "a.wav", "b.wav"], []]);
  });

  test("a rejected move, and no request for entries that are already in the folder", async () => {
    api.moveFiles.mockRejectedValueOnce(conflictError);
    await expect(moveEntries(client, [a], 2)).rejects.toBe(conflictError);
    expect([namesIn(1), namesIn(2)]).toEqual([["Stems", "a.wav", "b.wav"], []]);
    await moveEntries(client, [a], 1);
    expect(api.moveFiles).toHaveBeenCalledTimes(1);
  });

  test("deleting, with folders of the tree", async () => {
    const response = deferred<never>();
    api.deleteFiles.mockReturnValueOnce(response.promise);
    const done = deleteEntries(client, [stems, a]);
    expect([namesIn(1), folders()]).toEqual([["b.wav"], ["Project"]]);
    response.reject(conflictError);
    await expect(done).rejects.toBe(conflictError);
    expect([namesIn(1), folders()]).toEqual([
      ["Stems", "a.wav", "b.wav"],
      ["Project", "Stems"],
    ]);
  });

  test("a restored entry shows under the name that the service returns", async () => {
    setListing(1, [stems, b]);
    api.restoreFiles.mockResolvedValueOnce([{ ...a, name: "a (2).wav", revision: 2 }]);
    await restoreEntries(client, [7]);
    expect(namesIn(1)).toEqual(["Stems", "a (2).wav", "b.wav"]);
  });

  test("protecting", async () => {
    api.updateFile.mockRejectedValueOnce(conflictError);
    const done = updateEntry(client, a, { removal_protection: true });
    const isProtected = () =>
      client.queryClient.getQueryData<Listing>(fileListKeys.list(1, buildQuery(1)))!.entries.find(({ id }) => id === 7)!.removal_protection;
    expect(isProtected()).toBe(true);
    await expect(done).rejects.toBe(conflictError);
    expect(isProtected()).toBe(false);
  });
});

test("a request without a response is retried once, a deletion with the same idempotency key", async () => {
  api.deleteFiles.mockRejectedValueOnce(offlineError(null)).mockResolvedValueOnce({});
  await deleteEntries(client, [a]);
  const keys = api.deleteFiles.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect(namesIn(1)).toEqual(["Stems", "b.wav"]);
});

test("a created folder is cached from its response, even with only the documented members", async () => {
  const { object, id, name, is_folder, parent_id, size, url, removal_protection, task_load_protection, team_id } = folder(9, 1, "Takes");
  api.createFolder.mockResolvedValueOnce({ object, id, name, is_folder, parent_id, size, url, removal_protection, task_load_protection, team_id });
  await createFolder(client, folder(1, null, "Project"), "Takes", "key");
  expect([namesIn(1), folders()]).toEqual([
    ["Stems", "Takes", "a.wav", "b.wav"],
    ["Project", "Stems", "Takes"],
  ]);
});
