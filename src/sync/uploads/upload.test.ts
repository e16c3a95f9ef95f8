import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UploadFailure } from "../../api/uploads.ts";
import { buildUpload } from "./upload.fixture.ts";
import { upgradeStoredUpload } from "./upload-store.ts";
import { isAtRisk, isSameFile, uploadPercent, restoreUpload, transition, type UploadEvent, type Upload, type UploadState } from "./upload.ts";

const failing = (upload: Upload, failure: UploadFailure) => transition(transition(upload, { type: "start" }), { type: "failure", failure });

describe("an upload", () => {
  test("goes from queued through progress to done", () => {
    const started = transition(buildUpload(), { type: "start" });
    const created = transition(started, { type: "created", url: "/api/v2/uploads/1" });
    const half = transition(created, { type: "progress", sent: 500 });
    expect([started.state, created.url, uploadPercent(half)]).toEqual(["uploading", "/api/v2/uploads/1", 50]);
    expect(transition(half, { type: "done", fileId: 9 })).toMatchObject({ state: "done", sent: 1_000, fileId: 9 });
  });

  test("would be lost with the page until its bytes are stored, if any are still to be sent", () => {
    const states = ["queued", "uploading", "waiting", "paused", "lost", "failed", "done"] as const;
    const atRisk = (isPersisted?: boolean) => states.filter((state) => isAtRisk(buildUpload({ state, ...(isPersisted === undefined ? {} : { isPersisted }) })));
    expect([atRisk(), atRisk(false), atRisk(true)]).toEqual([states.slice(0, 4), states.slice(0, 4), []]);
  });

  test("waits ever longer without the service, without limit, and progress resets the delay", () => {
    let upload = buildUpload();
    const pauses: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      upload = failing(upload, { reason: "unreachable" });
      pauses.push(upload.retryDelayMs);
    }
    expect(upload.state).toBe("waiting");
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    const progressed = transition(transition(upload, { type: "start" }), { type: "progress", sent: 10 });
    expect(transition(progressed, { type: "failure", failure: { reason: "unreachable" } }).retryDelayMs).toBe(500);
    expect(failing(upload, { reason: "unreachable", afterMs: 7_000 }).retryDelayMs).toBe(7_000);
  });

  test("fails after six server errors in a row, and immediately when rejected", () => {
    let upload = buildUpload();
    for (let index = 0; index < 5; index += 1) upload = failing(upload, { reason: "serverError", message: "Disk full" });
    expect(upload.state).toBe("waiting");
    expect(failing(upload, { reason: "serverError", message: "Disk full" })).toMatchObject({ state: "failed", error: "Disk full", isRetryable: true });
    expect(failing(buildUpload(), { reason: "refused", message: "No room" })).toMatchObject({ state: "failed", error: "No room" });
  });

  test("starts over when the service no longer has it, and asks for the file when its bytes are unreadable", () => {
    expect(failing(buildUpload({ url: "/u", sent: 10 }), { reason: "missing" })).toMatchObject({ state: "waiting", url: null, sent: 0 });
    const lost = failing(buildUpload({ url: "/u" }), { reason: "unreadable" });
    expect(lost).toMatchObject({ state: "lost", url: "/u" });
    expect(transition(lost, { type: "fileProvided" })).toMatchObject({ state: "queued", url: "/u" });
  });

  test("stays paused until it is resumed", () => {
    const paused = transition(buildUpload(), { type: "pause" });
    for (const event of [{ type: "start" }, { type: "progress", sent: 5 }, { type: "failure", failure: { reason: "unreachable" } }] as UploadEvent[]) {
      expect(transition(paused, event)).toBe(paused);
    }
    expect(transition(paused, { type: "resume" }).state).toBe("queued");
  });

  test("cannot be retried when its file was never allowed", () => {
    const refused = buildUpload({ state: "failed", isRetryable: false });
    expect(transition(refused, { type: "resume" })).toBe(refused);
  });

  test("shows 100% only when done, whatever was sent", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (sent, bytes) => {
        const percent = uploadPercent(buildUpload({ state: "uploading", sent, bytes }));
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThan(100);
      }),
    );
  });
});

test("a restored upload resumes with its bytes, is lost without them, and otherwise retains its state", () => {
  const after = (state: UploadState, hasBytes: boolean) => restoreUpload(buildUpload({ state, messageId: "m" }), hasBytes);
  for (const state of ["queued", "uploading", "waiting", "lost"] as const) expect(after(state, true).state).toBe("queued");
  for (const state of ["queued", "uploading", "waiting", "lost", "paused", "failed"] as const) expect(after(state, false).state).toBe("lost");
  expect([after("paused", true).state, after("failed", true).state, after("done", false).state]).toEqual(["paused", "failed", "done"]);
  expect(after("done", false).messageId).toBe("m");
});

test("files are the same when name and size are equal", () => {
  expect(isSameFile({ name: "a.wav", size: 5 }, { name: "a.wav", bytes: 5 })).toBe(true);
  expect(isSameFile({ name: "a.wav", size: 6 }, { name: "a.wav", bytes: 5 })).toBe(false);
  expect(isSameFile({ name: "b.wav", size: 5 }, { name: "a.wav", bytes: 5 })).toBe(false);
});

test("an upload that an earlier version stored is read with today's names", () => {
  const savedAs = { name: "a (2).wav", folderId: 1, folderName: "Nightdrive" };
  const upload = buildUpload({
    error: "Disk full",
    isRetryable: true,
    attemptCount: 1,
    errorCount: 2,
    retryDelayMs: 500,
    isPersisted: true,
    isCanceled: true,
    savedAs,
  });
  const { error, isRetryable, attemptCount, errorCount, retryDelayMs, isPersisted, isCanceled, savedAs: _, ...unchanged } = upload;
  const counts = { tries: attemptCount, faults: errorCount, pauseMs: retryDelayMs };
  const earlier = { ...unchanged, ...counts, fault: error, retryable: isRetryable, kept: isPersisted, discarded: isCanceled, landed: savedAs };
  expect(upgradeStoredUpload(earlier as unknown as Upload)).toEqual(upload);
  expect(upgradeStoredUpload(upload)).toEqual(upload);
});
