import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildUpload } from "./upload.fixture.ts";
import { upgradeStoredUpload } from "./upload-store.ts";
import { isAtRisk, isSameFile, repliedCommentId, uploadPercent, restoreUpload, transition, type UploadEvent, type Upload, type UploadState } from "./upload.ts";

/** Returns the upload after these events, the first of which starts it. */
const after = (upload: Upload, ...events: UploadEvent[]) => [{ type: "start" } as const, ...events].reduce<Upload>(transition, upload);

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

  test("waits while requests fail, and continues with the next progress, even at the same offset", () => {
    const waiting = after(buildUpload({ sent: 10 }), { type: "retrying", reason: null });
    expect([waiting.state, waiting.sent]).toEqual(["waiting", 10]);
    expect(transition(waiting, { type: "progress", sent: 10 }).state).toBe("uploading");
    // The service no longer had it, so it starts again.
    const again = transition(waiting, { type: "created", url: "/u/2" });
    expect(transition(again, { type: "progress", sent: 0 })).toMatchObject({ state: "uploading", url: "/u/2", sent: 0 });
    expect(transition(waiting, { type: "resume" }).state).toBe("queued");
  });

  test("has the service's reason while it waits, the newest one, and none once bytes arrive", () => {
    const full = after(buildUpload(), { type: "retrying", reason: "Disk full" });
    expect(full).toMatchObject({ state: "waiting", error: "Disk full" });
    const unreachable = transition(full, { type: "retrying", reason: null });
    expect(unreachable).toMatchObject({ state: "waiting", error: null });
    expect(transition(unreachable, { type: "retrying", reason: null })).toBe(unreachable);
    expect(transition(full, { type: "progress", sent: 5 })).toMatchObject({ state: "uploading", error: null });
  });

  test("fails with the service's reason, also while it waits, and can be retried", () => {
    for (const events of [[], [{ type: "retrying", reason: null }]] as UploadEvent[][]) {
      const failed = after(buildUpload(), ...events, { type: "failed", reason: "Disk full" });
      expect(failed).toMatchObject({ state: "failed", error: "Disk full", isRetryable: true });
      expect(transition(failed, { type: "resume" })).toMatchObject({ state: "queued", error: null });
    }
  });

  test("asks for the file when its bytes are unreadable", () => {
    const lost = after(buildUpload({ url: "/u" }), { type: "unreadable" });
    expect(lost).toMatchObject({ state: "lost", url: "/u" });
    expect(transition(lost, { type: "fileProvided" })).toMatchObject({ state: "queued", url: "/u" });
  });

  test("stays paused until it is resumed", () => {
    const paused = transition(buildUpload(), { type: "pause" });
    for (const event of [
      { type: "start" },
      { type: "progress", sent: 5 },
      { type: "retrying", reason: null },
      { type: "failed", reason: "Disk full" },
      { type: "unreadable" },
    ] as UploadEvent[]) {
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
  const restored = (state: UploadState, hasBytes: boolean) => restoreUpload(buildUpload({ state, messageId: "m" }), hasBytes);
  for (const state of ["queued", "uploading", "waiting", "lost"] as const) expect(restored(state, true).state).toBe("queued");
  for (const state of ["queued", "uploading", "waiting", "lost", "paused", "failed"] as const) expect(restored(state, false).state).toBe("lost");
  expect([restored("paused", true).state, restored("failed", true).state, restored("done", false).state]).toEqual(["paused", "failed", "done"]);
  expect(restored("done", false).messageId).toBe("m");
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
    isPersisted: true,
    isCanceled: true,
    savedAs,
  });
  const { error, isRetryable, isPersisted, isCanceled, savedAs: _, ...unchanged } = upload;
  const earlier = { ...unchanged, fault: error, retryable: isRetryable, kept: isPersisted, discarded: isCanceled, landed: savedAs };
  expect(upgradeStoredUpload(earlier as unknown as Upload)).toEqual(upload);
  expect(upgradeStoredUpload(upload)).toEqual(upload);
});

test("only a file of an unsent reply belongs to a comment", () => {
  const commentOf = (draft: Upload["draft"], messageId: string | null = null) => repliedCommentId(buildUpload({ draft: draft ?? null, messageId }));
  expect([commentOf("comment.12"), commentOf("comment.12", "sent"), commentOf("file.12"), commentOf(null)]).toEqual([12, null, null, null]);
});
