/** One upload and what may happen to it. */
import type { UploadFailure } from "../../api/uploads.ts";

/**
 * `queued`: for its turn; `waiting`: for the connection or the next try; `lost`: the browser has not kept the bytes,
 * the same file is needed again; `failed`: until its owner decides.
 */
export type UploadState = "queued" | "uploading" | "waiting" | "paused" | "lost" | "failed" | "done";

/**
 * Where a file goes that no message carries: `path` ("Stems/Drums", "" for none) stands below the folder and is made where it is missing.
 * The names are those that the person saw when the file was brought.
 */
export type UploadTarget =
  | { kind: "folder"; folderId: number; folderName: string; path: string }
  /** It becomes the next version of a file. */
  | { kind: "version"; fileId: number; fileName: string };

/** A file and where it goes; null: with the project's next message. */
export interface FileToUpload {
  file: File;
  target: UploadTarget | null;
  /** Where who brings it needs to know it at once; else it gets one. */
  id?: string;
}

export interface Upload {
  id: string;
  accountId: number;
  projectId: number;
  /** null, or missing in what an older page has left: into the project's chat. */
  target?: UploadTarget | null;
  /** Where it is, once it is done and the service has told. */
  landed?: { name: string; folderId: number; folderName: string };
  /** Whether this browser holds its bytes over a reload; undefined while they are being copied. */
  kept?: boolean;
  name: string;
  bytes: number;
  type: string;
  /** Epoch milliseconds. */
  addedAt: number;
  state: UploadState;
  sent: number;
  /** Where the service takes its bytes; null before it was asked. */
  url: string | null;
  /** Once it is done. */
  fileId: number | null;
  fault: string | null;
  /** Whether trying again may help. */
  retryable: boolean;
  /** Tries in a row that brought nothing on, and those of them on which the service failed. */
  tries: number;
  faults: number;
  /** Milliseconds to the next try while it waits. */
  pauseMs: number;
  /** `clientId` of the message that waits for it; null while it stands in the tray. */
  messageId: string | null;
  /** It was taken away; only the service has not heard of that yet. */
  discarded?: boolean;
}

export type UploadEvent =
  | { type: "start" }
  | { type: "created"; url: string }
  | { type: "progress"; sent: number }
  | { type: "done"; fileId: number; landed?: Upload["landed"] }
  | { type: "failure"; failure: UploadFailure }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "kept"; kept: boolean | undefined }
  /** Its bytes are there again. */
  | { type: "file" };

const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A service that fails this often on one upload will not take it by itself. */
const MAX_ERRORS = 6;

const ACTIVE_STATES: ReadonlySet<UploadState> = new Set(["queued", "uploading", "waiting"]);
/** Goes on without anybody's help. */
export const isActive = ({ state }: Upload) => ACTIVE_STATES.has(state);

function afterFailure(upload: Upload, failure: UploadFailure): Upload {
  switch (failure.reason) {
    case "unreadable":
      return { ...upload, state: "lost" };
    case "refused":
      return { ...upload, state: "failed", fault: failure.message, retryable: true };
    // Begun anew; where that happens again and again there is a pause in between.
    case "gone":
      return { ...scheduleRetry(upload), url: null, sent: 0 };
    case "away":
      return scheduleRetry(upload, failure.afterMs);
    case "fault": {
      const faults = upload.faults + 1;
      return faults >= MAX_ERRORS
        ? { ...upload, state: "failed", fault: failure.message, retryable: true, faults: 0, tries: 0 }
        : { ...scheduleRetry(upload), faults };
    }
  }
}

const scheduleRetry = (upload: Upload, afterMs?: number): Upload => ({
  ...upload,
  state: "waiting",
  tries: upload.tries + 1,
  pauseMs: afterMs ?? RETRY_DELAYS_MS[Math.min(upload.tries, RETRY_DELAYS_MS.length - 1)]!,
});

/** The upload after something has happened; the same object where that changes nothing. */
export function transition(upload: Upload, event: UploadEvent): Upload {
  const { state } = upload;
  switch (event.type) {
    case "start":
      return state === "queued" || state === "waiting" ? { ...upload, state: "uploading" } : upload;
    case "created":
      return upload.url === event.url ? upload : { ...upload, url: event.url };
    case "progress":
      return state === "uploading" && event.sent !== upload.sent ? { ...upload, sent: event.sent, tries: 0, faults: 0 } : upload;
    case "done":
      return { ...upload, state: "done", sent: upload.bytes, fileId: event.fileId, fault: null, ...(event.landed ? { landed: event.landed } : {}) };
    case "failure":
      return state === "uploading" ? afterFailure(upload, event.failure) : upload;
    case "pause":
      return isActive(upload) ? { ...upload, state: "paused" } : upload;
    case "resume":
      return state === "paused" || state === "waiting" || (state === "failed" && upload.retryable)
        ? { ...upload, state: "queued", fault: null, tries: 0, faults: 0 }
        : upload;
    case "kept":
      return upload.kept === event.kept || state === "done" ? upload : { ...upload, kept: event.kept };
    case "file":
      return state === "lost" ? { ...upload, state: "queued", fault: null, tries: 0 } : upload;
  }
}

/** Whether it goes into the files themselves and no message takes it along. */
export const hasTarget = ({ target }: Upload): boolean => target !== null && target !== undefined;

/** Outlives its account's absence: it goes into the files, or a message waits for it. */
export const isRetained = (upload: Upload): boolean => upload.messageId !== null || hasTarget(upload);

/** What this browser holds copies of, or is about to. */
export const cachedByteCount = (uploads: readonly Upload[]): number =>
  uploads.reduce((sum, { kept, state, bytes }) => (kept !== false && state !== "done" && state !== "failed" ? sum + bytes : sum), 0);

/** A file that was just brought; `fault` says why it is not taken. */
export function createUpload(
  { file, target }: FileToUpload,
  details: { id: string; accountId: number; projectId: number; addedAt: number; fault: string | null; kept: boolean | undefined },
): Upload {
  return {
    ...details,
    target,
    name: file.name,
    bytes: file.size,
    type: file.type,
    state: details.fault === null ? "queued" : "failed",
    sent: 0,
    url: null,
    fileId: null,
    retryable: false,
    tries: 0,
    faults: 0,
    pauseMs: 0,
    messageId: null,
  };
}

/** What becomes of an upload that an earlier page has left. */
export function restoreUpload(upload: Upload, hasBytes: boolean): Upload {
  const restored: Upload = { ...upload, tries: 0, faults: 0, kept: hasBytes };
  if (upload.state === "done") return restored;
  if (!hasBytes) return { ...restored, state: "lost" };
  return isActive(upload) || upload.state === "lost" ? { ...restored, state: "queued" } : restored;
}

/** 0..100, never 100 before it is done. */
export function uploadPercent({ sent, bytes, state }: Upload): number {
  if (state === "done") return 100;
  return bytes > 0 ? Math.min(99, Math.floor((sent / bytes) * 100)) : 0;
}
