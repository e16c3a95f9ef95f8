import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import { ApiError, offline } from "../../api/api-error.ts";
import * as api from "../../api/file-changes.ts";
import { entryOf } from "../file-lists/entry.fixture.ts";
import { fileListKeys } from "../file-lists/keys.ts";
import { toListing, type Listing } from "../file-lists/listing.ts";
import { putEntry } from "../file-lists/put.ts";
import { NO_FILTER, type Wish } from "../file-lists/wish.ts";
import { createFolder, deleteEntries, moveBack, moveEntries, protectEntry, renameEntry, restoreEntries } from "./acts.ts";

vi.mock("../../api/file-changes.ts");

const refusal = new ApiError({ kind: "problem", status: 409, title: "Conflict", detail: "There already is a file or folder of this name here." });
const folder = (id: number, parent_id: number | null, name: string) => entryOf(id, { is_folder: true, kind: "folder", parent_id, name, item_count: 0 });
const [a, b] = [entryOf(7, { name: "a.wav" }), entryOf(8, { name: "b.wav" })];
const stems = folder(2, 1, "Stems");

let client: QueryClient;
const wish = (folderId: number): Wish => ({ ...NO_FILTER, folderId, sort: "name", order: "asc" });
const put = (folderId: number, entries: FileEntry[]) =>
  client.setQueryData<Listing>(fileListKeys.list(1, wish(folderId)), toListing({ data: entries, next_cursor: null }));
const namesIn = (folderId: number) => client.getQueryData<Listing>(fileListKeys.list(1, wish(folderId)))!.entries.map(({ name }) => name);
const folders = () => client.getQueryData<FileEntry[]>(fileListKeys.folders(1))!.map(({ name }) => name);
const isOld = (folderId: number) => client.getQueryState(fileListKeys.list(1, wish(folderId)))!.isInvalidated;

/** An answer that is given when the test says so. */
function held<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { promise, resolve, reject };
}

beforeEach(() => {
  vi.resetAllMocks();
  client = new QueryClient();
  client.setQueryData(fileListKeys.folders(1), [folder(1, null, "Project"), stems]);
  put(1, [stems, a, b]);
  put(2, []);
});

describe("what is done is seen before the service has answered, and taken back where it refuses", () => {
  test("a name", async () => {
    const answer = held<FileEntry>();
    vi.mocked(api.updateFile).mockReturnValueOnce(answer.promise);
    const done = renameEntry(client, a, "z.wav");
    expect(namesIn(1)).toEqual(["Stems", "b.wav", "z.wav"]);
    answer.reject(refusal);
    await expect(done).rejects.toBe(refusal);
    expect([namesIn(1), isOld(1)]).toEqual([["Stems", "a.wav", "b.wav"], true]);
  });

  test("what somebody else did meanwhile stays: also where the own wish is refused", async () => {
    const answer = held<FileEntry>();
    vi.mocked(api.updateFile).mockReturnValueOnce(answer.promise);
    const done = renameEntry(client, a, "mine.wav");
    putEntry(client, { ...a, name: "theirs.wav", revision: 2 });
    answer.reject(refusal);
    await expect(done).rejects.toBe(refusal);
    expect(namesIn(1)).toContain("theirs.wav");
  });

  test("an answer that is older than what is known changes nothing", async () => {
    const answer = held<FileEntry>();
    vi.mocked(api.updateFile).mockReturnValueOnce(answer.promise);
    const done = renameEntry(client, a, "mine.wav");
    putEntry(client, { ...a, name: "theirs.wav", revision: 3 });
    answer.resolve({ ...a, name: "mine.wav", revision: 2 });
    await done;
    expect(namesIn(1)).toContain("theirs.wav");
  });

  test("a move: out of one listing, into the other; and back to where each was", async () => {
    const answer = held<FileEntry[]>();
    vi.mocked(api.moveFiles).mockReturnValueOnce(answer.promise);
    const done = moveEntries(client, [a, b], 2);
    expect([namesIn(1), namesIn(2)]).toEqual([["Stems"], ["a.wav", "b.wav"]]);
    answer.resolve([a, b].map((one) => ({ ...one, parent_id: 2, revision: 2 })));
    await done;
    vi.mocked(api.moveFiles).mockResolvedValueOnce([a, b].map((one) => ({ ...one, revision: 3 })));
    await moveBack(client, [a, b]);
    expect(vi.mocked(api.moveFiles).mock.calls).toEqual([
      [[7, 8], 2],
      [[7, 8], 1],
    ]);
    expect([namesIn(1), namesIn(2)]).toEqual([["Stems", "a.wav", "b.wav"], []]);
  });

  test("a move that is refused; what is there already is not asked for", async () => {
    vi.mocked(api.moveFiles).mockRejectedValueOnce(refusal);
    await expect(moveEntries(client, [a], 2)).rejects.toBe(refusal);
    expect([namesIn(1), namesIn(2)]).toEqual([["Stems", "a.wav", "b.wav"], []]);
    await moveEntries(client, [a], 1);
    expect(api.moveFiles).toHaveBeenCalledTimes(1);
  });

  test("a deletion, of a folder from the tree too; and its refusal", async () => {
    const answer = held<never>();
    vi.mocked(api.deleteFiles).mockReturnValueOnce(answer.promise);
    const done = deleteEntries(client, [stems, a]);
    expect([namesIn(1), folders()]).toEqual([["b.wav"], ["Project"]]);
    answer.reject(refusal);
    await expect(done).rejects.toBe(refusal);
    expect([namesIn(1), folders()]).toEqual([
      ["Stems", "a.wav", "b.wav"],
      ["Project", "Stems"],
    ]);
  });

  test("what comes back stands where the service has put it", async () => {
    put(1, [stems, b]);
    vi.mocked(api.restoreFiles).mockResolvedValueOnce([{ ...a, name: "a (2).wav", revision: 2 }]);
    await restoreEntries(client, [7]);
    expect(namesIn(1)).toEqual(["Stems", "a (2).wav", "b.wav"]);
  });

  test("a protection", async () => {
    vi.mocked(api.updateFile).mockRejectedValueOnce(refusal);
    const done = protectEntry(client, a, { removal_protection: true });
    const shown = () => client.getQueryData<Listing>(fileListKeys.list(1, wish(1)))!.entries.find(({ id }) => id === 7)!.removal_protection;
    expect(shown()).toBe(true);
    await expect(done).rejects.toBe(refusal);
    expect(shown()).toBe(false);
  });
});

test("where nobody answered it is asked once more, a deletion under the same name", async () => {
  vi.mocked(api.deleteFiles)
    .mockRejectedValueOnce(offline(null))
    .mockResolvedValueOnce({} as never);
  await deleteEntries(client, [a]);
  const keys = vi.mocked(api.deleteFiles).mock.calls.map(([, options]) => options?.idempotencyKey);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect(namesIn(1)).toEqual(["Stems", "b.wav"]);
});

test("a new folder is there with its answer, also where that is only the documented record", async () => {
  const { object, id, name, is_folder, parent_id, size, url, removal_protection, task_load_protection, team_id } = folder(9, 1, "Takes");
  vi.mocked(api.makeFolder).mockResolvedValueOnce({ object, id, name, is_folder, parent_id, size, url, removal_protection, task_load_protection, team_id });
  await createFolder(client, folder(1, null, "Project"), "Takes", "key");
  expect([namesIn(1), folders()]).toEqual([
    ["Stems", "Takes", "a.wav", "b.wav"],
    ["Project", "Stems", "Takes"],
  ]);
});
