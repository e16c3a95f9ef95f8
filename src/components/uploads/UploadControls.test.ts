import { expect, test } from "vitest";
import { buildUpload } from "../../sync/uploads/upload.fixture.ts";
import { formatUploadStatus } from "./UploadControls.tsx";

test("every upload state has a text with its details", () => {
  const half = { bytes: 2_000_000, sent: 1_000_000 };
  expect(formatUploadStatus(buildUpload({ ...half, state: "queued" }))).toBe("Queued · 2 MB");
  expect(formatUploadStatus(buildUpload({ ...half, state: "uploading" }))).toBe("50% of 2 MB");
  expect(formatUploadStatus(buildUpload({ ...half, state: "waiting" }))).toBe("Waiting for the connection · 2 MB");
  expect(formatUploadStatus(buildUpload({ ...half, state: "waiting", error: "The disk is full." }))).toBe("Waiting to retry: The disk is full.");
  expect(formatUploadStatus(buildUpload({ ...half, state: "paused" }))).toBe("Paused at 50% · 2 MB");
  expect(formatUploadStatus(buildUpload({ ...half, state: "lost" }))).toContain("Choose it again");
  expect(formatUploadStatus(buildUpload({ ...half, state: "failed", error: "Not enough storage." }))).toBe("Failed: Not enough storage.");
  expect(formatUploadStatus(buildUpload({ ...half, state: "failed" }))).toBe("Failed");
  expect(formatUploadStatus(buildUpload({ ...half, state: "done" }))).toBe("Uploaded · 2 MB");
});
