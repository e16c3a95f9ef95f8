import { expect, test } from "vitest";
import { buildUpload } from "../../sync/uploads/upload.fixture.ts";
import { checkUploads } from "./MessageUploads.tsx";

test("uploads in progress can be sent, failed and lost ones block sending", () => {
  expect(checkUploads([])).toEqual({ canSend: true, hint: null });
  for (const state of ["queued", "uploading", "waiting", "paused", "done"] as const) expect(checkUploads([buildUpload({ state })]).canSend).toBe(true);
  for (const state of ["failed", "lost"] as const) expect(checkUploads([buildUpload(), buildUpload({ state })]).canSend).toBe(false);
  expect(checkUploads([buildUpload({ state: "lost" })]).hint).toMatch(/^1 file couldn't/);
  expect(checkUploads([buildUpload({ state: "failed" }), buildUpload({ state: "lost" })]).hint).toMatch(/^2 files couldn't/);
});

test("a message can have twenty files", () => {
  const createUploads = (count: number) => Array.from({ length: count }, (_, index) => buildUpload({ id: `u${index}` }));
  expect(checkUploads(createUploads(20)).canSend).toBe(true);
  expect(checkUploads(createUploads(21))).toEqual({ canSend: false, hint: "A message can have up to 20 files. Remove some to send." });
});
