import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import { emitFileEvent } from "../files/cache-updates.ts";
import { invalidate } from "../query-client.ts";
import { upsertEntry, removeEntry } from "./cache-updates.ts";
import { buildEntry, buildFolder, buildListQuery, FOLDERS } from "./entry.fixture.ts";
import { loadWithEvents } from "./apply-file-events.ts";
import { fileListKeys } from "./list-query.ts";
import { type Listing, toListing } from "./listing.ts";

describe("file events in the cache", () => {
  let client: QueryClient;
  const rootKey = fileListKeys.list(1, buildListQuery());
  const stemsKey = fileListKeys.list(1, buildListQuery({ folderId: 2 }));
  const searchKey = fileListKeys.list(1, buildListQuery({ q: "file" }));
  const ids = (key: readonly unknown[]) => client.getQueryData<Listing>(key)!.entries.map(({ id }) => id);
  const folderIds = () => client.getQueryData<FileEntry[]>(fileListKeys.folders(1))!.map(({ id }) => id);

  beforeEach(() => {
    vi.useFakeTimers();
    client = new QueryClient();
    client.setQueryData(fileListKeys.folders(1), FOLDERS);
    client.setQueryData(rootKey, toListing({ data: [FOLDERS[3]!, FOLDERS[1]!, buildEntry(7), buildEntry(8)], next_cursor: null }));
    client.setQueryData(stemsKey, toListing({ data: [FOLDERS[2]!], next_cursor: null }));
    client.setQueryData(searchKey, toListing({ data: [buildEntry(7), buildEntry(8)], next_cursor: null }));
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
    emitFileEvent(client, { type: "created", entry: buildFolder(5, 3, "Takes") });
    emitFileEvent(client, { type: "created", entry: buildEntry(9, { parent_id: 5 }) });
    expect(folderIds()).toEqual([1, 2, 3, 4, 5]);
    expect(ids(searchKey)).toEqual([7, 8, 9]);
  });
  test("a deleted folder removes its subtree and invalidates searches", () => {
    removeEntry(client, 2);
    expect([folderIds(), ids(rootKey)]).toEqual([
      [1, 4],
      [4, 7, 8],
    ]);
    vi.runAllTimers();
    expect(client.getQueryState(searchKey)!.isInvalidated).toBe(true);
    expect(client.getQueryState(rootKey)!.isInvalidated).toBe(false);
  });
  test("a status change shows in every listing", () => {
    const status = { id: 4, title: "Approved", color: 4, position: 4 };
    emitFileEvent(client, { type: "status", id: 8, status });
    for (const key of [rootKey, searchKey]) expect(client.getQueryData<Listing>(key)!.entries.find(({ id }) => id === 8)!.status).toEqual(status);
  });
  test("a listing that waits for its refetch still waits after a change", () => {
    invalidate(client, fileListKeys.all);
    upsertEntry(client, buildEntry(9));
    expect(ids(rootKey)).toContain(9);
    expect(client.getQueryState(rootKey)!.isInvalidated).toBe(true);
  });
  test("files of another project are ignored", () => {
    upsertEntry(client, buildEntry(70, { project_id: 2 }));
    expect(ids(rootKey)).toEqual([4, 2, 7, 8]);
  });
  test("events during a load are applied to the loaded listing", async () => {
    const response = Promise.withResolvers<Listing>();
    const loading = loadWithEvents(client, rootKey, () => response.promise);
    removeEntry(client, 7);
    upsertEntry(client, buildEntry(9, { name: "a new one.wav" }));
    response.resolve(toListing({ data: [buildEntry(7), buildEntry(8)], next_cursor: null }));
    expect((await loading).entries.map(({ id }) => id)).toEqual([9, 8]);
  });
});
