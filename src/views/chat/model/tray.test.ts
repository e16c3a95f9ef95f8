import { expect, test } from "vitest";
import { uploadFixture } from "../../../queries/uploads/upload.fixture.ts";
import { readinessOf } from "./tray.ts";

test("files under way may be sent, files that need help hold the message back", () => {
  expect(readinessOf([])).toEqual({ ready: true, hint: null });
  for (const state of ["queued", "uploading", "waiting", "paused", "done"] as const) expect(readinessOf([uploadFixture({ state })]).ready).toBe(true);
  for (const state of ["failed", "lost"] as const) expect(readinessOf([uploadFixture(), uploadFixture({ state })]).ready).toBe(false);
  expect(readinessOf([uploadFixture({ state: "lost" })]).hint).toMatch(/^1 file could not/);
  expect(readinessOf([uploadFixture({ state: "failed" }), uploadFixture({ state: "lost" })]).hint).toMatch(/^2 files could not/);
});

test("a message takes twenty files", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => uploadFixture({ id: `u${index}` }));
  expect(readinessOf(many(20)).ready).toBe(true);
  expect(readinessOf(many(21))).toEqual({ ready: false, hint: "A message takes at most 20 files. Remove some to send." });
});
