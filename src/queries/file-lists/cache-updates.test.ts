import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../app/create-client.ts";
import { invalidate } from "../query-client.ts";
import { applyFileEvent, applyMetadataUpdate, upsertEntry, removeEntry } from "./cache-updates.ts";
import { buildEntry, buildFolder, buildListQuery, FOLDERS } from "./entry.fixture.ts";
import { fileListKeys } from "./list-query.ts";
import { type Listing, toListing } from "./listing.ts";

describe("file events in the cache", () => {
  let client: Client;
  const rootKey = fileListKeys.list(1, buildListQuery());
  const stemsKey = fileListKeys.list(1, buildListQuery({ folderId: 2 }));
  const searchKey = fileListKeys.list(1, buildListQuery({ q: "file" }));
  const ids = (key: readonly unknown[]) => client.queryClient.getQueryData<Listing>(key)!.entries.map(({ id }) => id);
  const folderIds = () => client.queryClient.getQueryData<FileEntry[]>(fileListKeys.folders(1))!.map(({ id }) => id);

  beforeEach(() => {
    vi.useFakeTimers();
    client = createClient();
    client.queryClient.setQueryData(fileListKeys.folders(1), FOLDERS);
    client.queryClient.setQueryData(rootKey, toListing({ data: [FOLDERS[3]!, FOLDERS[1]!, buildEntry(7), buildEntry(8)], next_cursor: null }));
    client.queryClient.setQueryData(stemsKey, toListing({ data: [FOLDERS[2]!], next_cursor: null }));
    client.queryClient.setQueryData(searchKey, toListing({ data: [buildEntry(7), buildEntry(8)], next_cursor: null }));
    return () => vi.useRealTimers();
  });

  test("a moved file leaves one folder, enters the other and stays in search results", () => {
    upsertEntry(client, buildEntry(7, { parent_id: 2, revision: 2 }));
    expect([ids(rootKey), ids(stemsKey), ids(searchKey)]).toEqual([
      [4, 2, 8],
      [3, 7],
      [7, 8],
    ]);
  });
  test("a new folder is in the tree immediately, so that searches above it find its files", () => {
    applyFileEvent(client, { type: "created", entry: buildFolder(5, 3, "Takes") });
    applyFileEvent(client, { type: "created", entry: buildEntry(9, { parent_id: 5 }) });
    expect(folderIds()).toEqual([1, 2, 3, 4, 5]);
    expect(ids(searchKey)).toEqual([7, 8, 9]);
  });
  test("a deleted folder removes its subtree and invalidates searches", () => {
    removeEntry(client, 2);
    expect([folderIds(), ids(rootKey)]).toEqual([
      [1, 4],
      [4, 7, 8],
    ]);
    vi.advanceTimersByTime(2_000);
    expect(client.queryClient.getQueryState(searchKey)!.isInvalidated).toBe(true);
    expect(client.queryClient.getQueryState(rootKey)!.isInvalidated).toBe(false);
  });
  test("a status change shows in every listing", () => {
    const status = { id: 4, title: "Approved", color: 4, position: 4 };
    applyFileEvent(client, { type: "status", id: 8, status });
    for (const key of [rootKey, searchKey]) expect(client.queryClient.getQueryData<Listing>(key)!.entries.find(({ id }) => id === 8)!.status).toEqual(status);
  });
  test("metadata changes in listings that have its field, stays through other events, and refetches the order of its field", () => {
    const columnsKey = fileListKeys.list(1, buildListQuery({ fields: [5, 6] }));
    const sortedKey = fileListKeys.list(1, buildListQuery({ fields: [], sortField: 6 }));
    for (const key of [columnsKey, sortedKey])
      client.queryClient.setQueryData(key, toListing({ data: [buildEntry(7, { metadata: { 5: "warm", 6: 2 } }), buildEntry(8)], next_cursor: null }));
    const metadataOf = (key: readonly unknown[]) => client.queryClient.getQueryData<Listing>(key)!.entries.find(({ id }) => id === 7)!.metadata;
    applyMetadataUpdate(client, { file_id: 7, project_id: 1, revision: 2, values: { 5: null, 6: 3, 9: "elsewhere" } });
    expect(metadataOf(columnsKey)).toEqual({ 6: 3 });
    expect(metadataOf(rootKey)).toEqual({});
    upsertEntry(client, buildEntry(7, { name: "renamed.wav", revision: 2 }));
    expect(metadataOf(columnsKey)).toEqual({ 6: 3 });
    applyMetadataUpdate(client, { file_id: 7, project_id: 2, revision: 3, values: { 6: 4 } });
    expect(metadataOf(columnsKey)).toEqual({ 6: 3 });
    vi.advanceTimersByTime(2_000);
    expect([columnsKey, sortedKey].map((key) => client.queryClient.getQueryState(key)!.isInvalidated)).toEqual([false, true]);
  });
  test("a listing that waits for its refetch still waits after a change", () => {
    invalidate(client, fileListKeys.all);
    upsertEntry(client, buildEntry(9));
    expect(ids(rootKey)).toContain(9);
    expect(client.queryClient.getQueryState(rootKey)!.isInvalidated).toBe(true);
  });
  test("files of another project are ignored", () => {
    upsertEntry(client, buildEntry(70, { project_id: 2 }));
    expect(ids(rootKey)).toEqual([4, 2, 7, 8]);
  });
  test("events during a load are applied to the loaded listing", async () => {
    const response = Promise.withResolvers<Listing>();
    const loading = client.queryState.loads.loadWithChanges(rootKey, () => response.promise);
    removeEntry(client, 7);
    upsertEntry(client, buildEntry(9, { name: "a new one.wav" }));
    response.resolve(toListing({ data: [buildEntry(7), buildEntry(8)], next_cursor: null }));
    expect((await loading).entries.map(({ id }) => id)).toEqual([9, 8]);
  });
});
