import { expect, test } from "vitest";
import { LIMITS } from "../../../../contract/limits.ts";
import { buildUpload } from "../../../sync/uploads/upload.fixture.ts";
import { checkUploads, computeSendState } from "./send-state.ts";

const draft = (text: string) => ({ text, named: [] });

test("text can be sent, whitespace cannot", () => {
  expect(computeSendState(draft("hello"), [])).toEqual({ body: "hello", ready: true, remainingCharacters: null, tooLong: false, filesHint: null });
  expect(computeSendState(draft(" \n "), [])).toMatchObject({ body: "", ready: false });
});

test("a mention counts with its serialized length", () => {
  const name = "x".repeat(LIMITS.message_characters);
  const named = [{ start: 0, end: name.length, accountId: 5 }];
  expect(computeSendState({ text: name, named }, [])).toMatchObject({ body: "<@5>", ready: true, tooLong: false });
});

test("a message that is one character too long cannot be sent and shows the excess", () => {
  expect(computeSendState(draft("x".repeat(LIMITS.message_characters)), [])).toMatchObject({ ready: true, remainingCharacters: 0, tooLong: false });
  expect(computeSendState(draft("x".repeat(LIMITS.message_characters + 1)), [])).toMatchObject({ ready: false, remainingCharacters: -1, tooLong: true });
});

test("uploads in progress can be sent, failed and lost ones block sending", () => {
  expect(checkUploads([])).toEqual({ ready: true, hint: null });
  for (const state of ["queued", "uploading", "waiting", "paused", "done"] as const) expect(checkUploads([buildUpload({ state })]).ready).toBe(true);
  for (const state of ["failed", "lost"] as const) expect(checkUploads([buildUpload(), buildUpload({ state })]).ready).toBe(false);
  expect(checkUploads([buildUpload({ state: "lost" })]).hint).toMatch(/^1 file couldn't/);
  expect(checkUploads([buildUpload({ state: "failed" }), buildUpload({ state: "lost" })]).hint).toMatch(/^2 files couldn't/);
});

test("a message can have twenty files", () => {
  const createUploads = (count: number) => Array.from({ length: count }, (_, index) => buildUpload({ id: `u${index}` }));
  expect(checkUploads(createUploads(20)).ready).toBe(true);
  expect(checkUploads(createUploads(21))).toEqual({ ready: false, hint: "A message can have up to 20 files. Remove some to send." });
});
