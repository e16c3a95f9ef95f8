import { expect, test } from "vitest";
import { buildUpload } from "../../../queries/uploads/upload.fixture.ts";
import { checkUploads } from "./tray.ts";

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
