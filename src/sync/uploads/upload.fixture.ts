import type { Upload } from "./upload.ts";

/** Builds an upload for tests. */
export const buildUpload = (changes: Partial<Upload> = {}): Upload => ({
  id: "u1",
  accountId: 1,
  projectId: 1,
  name: "bounce.wav",
  bytes: 1_000,
  type: "audio/wav",
  addedAt: 0,
  state: "queued",
  sent: 0,
  url: null,
  fileId: null,
  error: null,
  isRetryable: false,
  messageId: null,
  ...changes,
});
