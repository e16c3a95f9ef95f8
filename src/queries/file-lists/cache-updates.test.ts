import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import { emitFileEvent } from "../files/file-cache.ts";
import { upsertEntry, removeEntry } from "./cache-updates.ts";
import { buildEntry } from "./entry.fixture.ts";
import { toFilesQuery } from "./file-list-queries.ts";
import { buildTree } from "./folder-tree.ts";
import { loadWithEvents } from "./in-flight-requests.ts";
import { fileListKeys, type FileListQuery, type Filter, NO_FILTER } from "./list-query.ts";
import { dateRange, type Listing, matchesFilter, matchesQuery, toListing } from "./listing.ts";

const folder = (id: number, parent_id: number | null, name: string, changes: Partial<FileEntry> = {}) =>
  buildEntry(id, { is_folder: true, kind: "folder", parent_id, name, item_count: 0, ...changes });
const FOLDERS = [folder(1, null, "Project"), folder(2, 1, "Stems"), folder(3, 2, "Drums"), folder(4, 1, "Mixes")];
const buildQuery = (changes: Partial<FileListQuery> = {}): FileListQuery => ({ ...NO_FILTER, folderId: 1, sort: "name", order: "asc", ...changes });

describe("what a filter lets through", () => {
  const approved = { id: 4, title: "Approved", color: 4, position: 4 };
  const mix = buildEntry(9, { name: "Über Mix 2.wav", status: approved, bpm: 127.6, tags: ["House"], account_id: 3, changed_at: "2026-11-17T22:30:00.000Z" });
  test.each<[Partial<Filter>, boolean]>([
    [{ q: "uber mix" }, true],
    [{ q: "ÜBER" }, true],
    [{ q: "mix 3" }, false],
    [{ kind: "audio" }, true],
    [{ kind: "image" }, false],
    [{ status: [4, "none"] }, true],
    [{ status: ["none"] }, false],
    [{ bpmMin: 127.6 }, true],
    [{ bpmMin: 128 }, false],
    [{ bpmMax: 130 }, true],
    [{ bpmMax: 120 }, false],
    [{ key: "A minor" }, true],
    [{ key: "C major" }, false],
    [{ tag: "House" }, true],
    [{ tag: "house" }, false],
    [{ uploader: 3 }, true],
    [{ uploader: 4 }, false],
  ])("%j: %s", (filter, expected) => expect(matchesFilter({ ...NO_FILTER, ...filter }, mix)).toBe(expected));

  test("without a tempo nothing has one of at most 200", () => {
    expect(matchesFilter({ ...NO_FILTER, bpmMax: 200 }, buildEntry(1, { bpm: 0 }))).toBe(false);
    expect(matchesFilter({ ...NO_FILTER, status: ["none"] }, folder(2, 1, "Stems"))).toBe(false);
  });
  test("days are the reader's, both included", () => {
    const { from, to } = dateRange({ from: "2026-03-29", to: "2026-03-29" });
    expect(from).toEqual(new Date(2026, 2, 29));
    expect(to).toEqual(new Date(2026, 2, 30));
    expect(dateRange({ from: null, to: null })).toEqual({ from: null, to: null });
  });
  test("below a folder, as far as the folders are known", () => {
    const tree = buildTree(FOLDERS);
    const searchQuery = buildQuery({ folderId: 2, q: "file" });
    expect(matchesQuery(searchQuery, tree, buildEntry(9, { parent_id: 3 }))).toBe(true);
    expect(matchesQuery(searchQuery, tree, buildEntry(9, { parent_id: 4 }))).toBe(false);
    expect(matchesQuery(searchQuery, tree, buildEntry(9, { parent_id: 77 }))).toBeUndefined();
    expect(matchesQuery(searchQuery, undefined, buildEntry(9, { parent_id: 3 }))).toBeUndefined();
    expect(matchesQuery(buildQuery({ folderId: 2 }), undefined, buildEntry(9, { parent_id: 3 }))).toBe(false);
  });
});

test("the service is asked for what is looked for and nothing else", () => {
  expect(Object.entries(toFilesQuery(buildQuery())).filter(([, value]) => value !== undefined)).toEqual([
    ["folder_id", "1"],
    ["sort", "name"],
    ["order", "asc"],
  ]);
  expect(toFilesQuery(buildQuery({ q: "mix", status: [3, "none"], bpmMin: 118, sort: "size", order: "desc" }))).toMatchObject({
    deep: "true",
    q: "mix",
    status_id: "3,none",
    bpm_min: 118,
    sort: "size",
    order: "desc",
  });
});

test("a circle of folders ends, and what is above is found", () => {
  const tree = buildTree([folder(1, 2, "a"), folder(2, 1, "b"), folder(3, null, "root")]);
  expect(tree.pathTo(1).length).toBeLessThanOrEqual(200);
  expect(tree.isIn(3, 1)).toBe(false);
  expect(
    buildTree(FOLDERS)
      .pathTo(3)
      .map(({ name }) => name),
  ).toEqual(["Project", "Stems", "Drums"]);
});

describe("news in the cache", () => {
  let client: QueryClient;
  const rootKey = fileListKeys.list(1, buildQuery());
  const stemsKey = fileListKeys.list(1, buildQuery({ folderId: 2 }));
  const searchKey = fileListKeys.list(1, buildQuery({ q: "file" }));
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

  test("a file that is moved leaves one folder and comes into the other, and stays found", () => {
    upsertEntry(client, buildEntry(7, { parent_id: 2, revision: 2 }));
    expect([ids(rootKey), ids(stemsKey), ids(searchKey)]).toEqual([
      [4, 2, 8],
      [3, 7],
      [7, 8],
    ]);
  });
  test("a new folder is in the tree at once: a file in it is found below its parents", () => {
    emitFileEvent(client, { type: "created", entry: folder(5, 3, "Takes") });
    emitFileEvent(client, { type: "created", entry: buildEntry(9, { parent_id: 5 }) });
    expect(folderIds()).toEqual([1, 2, 3, 4, 5]);
    expect(ids(searchKey)).toEqual([7, 8, 9]);
  });
  test("a deleted folder takes all below it from the tree, and searches are asked again", () => {
    removeEntry(client, 2);
    expect([folderIds(), ids(rootKey)]).toEqual([
      [1, 4],
      [4, 7, 8],
    ]);
    vi.runAllTimers();
    expect(client.getQueryState(searchKey)!.isInvalidated).toBe(true);
    expect(client.getQueryState(rootKey)!.isInvalidated).toBe(false);
  });
  test("a status that is chosen here is shown in every listing", () => {
    const status = { id: 4, title: "Approved", color: 4, position: 4 };
    emitFileEvent(client, { type: "status", id: 8, status });
    for (const key of [rootKey, searchKey]) expect(client.getQueryData<Listing>(key)!.entries.find(({ id }) => id === 8)!.status).toEqual(status);
  });
  test("another project's files are none of these", () => {
    upsertEntry(client, buildEntry(70, { project_id: 2 }));
    expect(ids(rootKey)).toEqual([4, 2, 7, 8]);
  });
  test("what is told while a listing is loaded is in it", async () => {
    const response = Promise.withResolvers<Listing>();
    const loading = loadWithEvents(client, rootKey, () => response.promise);
    removeEntry(client, 7);
    upsertEntry(client, buildEntry(9, { name: "a new one.wav" }));
    response.resolve(toListing({ data: [buildEntry(7), buildEntry(8)], next_cursor: null }));
    expect((await loading).entries.map(({ id }) => id)).toEqual([9, 8]);
  });
});
