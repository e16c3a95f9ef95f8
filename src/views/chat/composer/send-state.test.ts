import { expect, test } from "vitest";
import { LIMITS } from "../../../../contract/limits.ts";
import { buildUpload } from "../../../sync/uploads/upload.fixture.ts";
import { checkUploads, computeSendState } from "./send-state.ts";

const draft = (text: string) => ({ text, named: [] });

test("words can be sent, blanks cannot", () => {
  expect(computeSendState(draft("hello"), [])).toEqual({ body: "hello", ready: true, remainingCharacters: null, tooLong: false, filesHint: null });
  expect(computeSendState(draft(" \n "), [])).toMatchObject({ body: "", ready: false });
});

test("a name counts as it is sent: short where the name is long", () => {
  const name = "x".repeat(LIMITS.message_characters);
  const named = [{ start: 0, end: name.length, accountId: 5 }];
  expect(computeSendState({ text: name, named }, [])).toMatchObject({ body: "<@5>", ready: true, tooLong: false });
});

test("one character too many holds it back and says so", () => {
  expect(computeSendState(draft("x".repeat(LIMITS.message_characters)), [])).toMatchObject({ ready: true, remainingCharacters: 0, tooLong: false });
  expect(computeSendState(draft("x".repeat(LIMITS.message_characters + 1)), [])).toMatchObject({ ready: false, remainingCharacters: -1, tooLong: true });
});

test("files under way may be sent, files that need help hold the message back", () => {
  expect(checkUploads([])).toEqual({ ready: true, hint: null });
  for (const state of ["queued", "uploading", "waiting", "paused", "done"] as const) expect(checkUploads([buildUpload({ state })]).ready).toBe(true);
  for (const state of ["failed", "lost"] as const) expect(checkUploads([buildUpload(), buildUpload({ state })]).ready).toBe(false);
  expect(checkUploads([buildUpload({ state: "lost" })]).hint).toMatch(/^1 file couldn't/);
  expect(checkUploads([buildUpload({ state: "failed" }), buildUpload({ state: "lost" })]).hint).toMatch(/^2 files couldn't/);
});

test("a message takes twenty files", () => {
  const createUploads = (count: number) => Array.from({ length: count }, (_, index) => buildUpload({ id: `u${index}` }));
  expect(checkUploads(createUploads(20)).ready).toBe(true);
  expect(checkUploads(createUploads(21))).toEqual({ ready: false, hint: "A message can have up to 20 files. Remove some to send." });
});
