import { afterEach, expect, test, vi } from "vitest";
import type { FileMetadata, MetadataChanges, MetadataValues } from "../../../contract/metadata-records.ts";
import { createClient } from "../../app/create-client.ts";
import { undoValues } from "./undo-values.ts";

const file = (id: number, values: MetadataValues): FileMetadata => ({ object: "file_metadata", file_id: id, project_id: 1, values, revision: 1 });

interface Change {
  file_ids: number[];
  values: MetadataChanges;
  if_values: MetadataChanges;
}

/** Replaces the service by one with these values, which answers changes with the given errors first. Returns the changes of all requests. */
function serve(files: readonly FileMetadata[], errors: readonly object[] = []) {
  const sent: Change[][] = [];
  const open = [...errors];
  const respond = (body: object, status = 200) =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }));
  vi.stubGlobal("fetch", (_: string, { method, body }: RequestInit) => {
    if (method !== "PATCH") return respond({ object: "list", data: files, next_cursor: null });
    sent.push((JSON.parse(String(body)) as { changes: Change[] }).changes);
    const error = open.shift();
    return error ? respond({ object: "error", title: "No", ...error }, (error as { status: number }).status) : respond({ object: "list", data: [] });
  });
  return sent;
}

afterEach(() => vi.unstubAllGlobals());

const undo = (before: readonly FileMetadata[], values: MetadataChanges) => undoValues(createClient(), 1, before, values);

test("an undo restores each field that nobody has changed since, also of files in which others were changed", async () => {
  const before = [file(1, { 5: "warm", 6: 2 }), file(2, { 5: "cold" }), file(3, { 5: "new", 6: 1 }), file(4, { 5: "x" }), file(5, { 5: "y", 6: 1 })];
  // File 2 has a value of somebody else, file 3 had the new values already, 4 is deleted, and somebody has undone 5.
  const sent = serve([file(1, { 5: "new", 6: 1 }), file(2, { 5: "other", 6: 1 }), file(3, { 5: "new", 6: 1 }), file(5, { 5: "y", 6: 1 })]);
  expect(await undo(before, { 5: "new", 6: 1 })).toEqual({ restored: 2, changed: 1, refused: 0, gone: 1 });
  expect(sent).toEqual([
    [
      { file_ids: [1], values: { 5: "warm", 6: 2 }, if_values: { 5: "new", 6: 1 } },
      { file_ids: [2], values: { 6: null }, if_values: { 6: 1 } },
    ],
  ]);
});

test("a former value that the service does not accept any more is left out", async () => {
  const before = [file(1, { 5: "warm", 6: 2 }), file(2, { 6: 3 })];
  const sent = serve(
    [file(1, { 5: "new", 6: 1 }), file(2, { 5: "new", 6: 1 })],
    [{ status: 400, errors: [{ path: "values.5", message: "must be an option" }] }],
  );
  expect(await undo(before, { 5: "new", 6: 1 })).toEqual({ restored: 2, changed: 0, refused: 2, gone: 0 });
  expect(sent[1]?.map(({ values }) => values)).toEqual([{ 6: 2 }, { 6: 3 }]);
});

test.each([
  ["somebody changes a file as it is sent", { status: 409, current_values: {} }, 3],
  ["a file is deleted as it is sent", { status: 404 }, 3],
  ["the person may not", { status: 403 }, 1],
])("if %s, an undo is tried %o, at most three times", async (_, error, attempts) => {
  const sent = serve([file(1, { 5: "new" })], Array(9).fill(error));
  await expect(undo([file(1, {})], { 5: "new" })).rejects.toMatchObject({ status: error.status });
  expect(sent).toHaveLength(attempts);
});
