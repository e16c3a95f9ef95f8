import { expect, test } from "vitest";
import { upgradeStoredUpload } from "./upload-store.ts";
import { buildUpload } from "./upload.fixture.ts";
import type { Upload } from "./upload.ts";

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
