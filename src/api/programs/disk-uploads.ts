/** Uploads files from the disk by tus, piece by piece and resumably, with the retries of the browser client. */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { ApiError, offlineError } from "../api-error.ts";
import type { Api } from "../http.ts";
import { MAX_RETRY_AFTER_SECONDS } from "./retries.ts";
import { startUpload, type UploadDestination } from "../uploads.ts";

/**
 * Where an uploaded file goes: into a folder, whose missing subfolders of `path` ("Stems/Drums") are created; to a file as its new version; or to a project,
 * from where a message can attach it.
 */
export type UploadTarget = { parent_id: number; path?: string } | { version_of: number } | { project_id: number };

export interface UploadOptions {
  signal?: AbortSignal;
  /** Name at the service; default: the file's own. A name that is taken gets a number. */
  name?: string;
  /** What `onStart` received for the same bytes in an earlier run: the upload continues where it stopped. */
  resumeFrom?: string | null;
  /** Called before any byte is sent. Store the value to resume in a later run. */
  onStart?(resumeFrom: string): void | Promise<void>;
  onProgress?(sentBytes: number, totalBytes: number): void;
  /** Called before each repeated attempt. */
  onRetry?(error: ApiError): void;
  /** Milliseconds without any progress after which the upload fails; default ten minutes. */
  giveUpAfterMs?: number;
}

export interface UploadedFile {
  file_id: number;
  /** The name under which the file was stored, and its folder; missing if the service does not return them. */
  saved_as?: { name: string; folder_id: number; folder_name: string };
}

const GIVE_UP_AFTER_MS = 10 * 60_000;
/** A transfer in which nothing happens for this long has lost its connection without noticing. */
const STALL_MS = 120_000;

/** Reads the bytes of one request at a time into memory. */
const blobReader = {
  openFile: async (blob: Blob) => ({
    size: blob.size,
    async slice(start: number, end: number) {
      const bytes = new Uint8Array(await blob.slice(start, end).arrayBuffer());
      return { value: Object.assign(bytes, { size: bytes.length }), done: end >= blob.size };
    },
    close() {},
  }),
};

function toDestination(target: UploadTarget): { projectId: number; target: UploadDestination | null } {
  if ("project_id" in target) return { projectId: target.project_id, target: null };
  if ("version_of" in target) return { projectId: 0, target: { kind: "version", fileId: target.version_of } };
  return { projectId: 0, target: { kind: "folder", folderId: target.parent_id, path: target.path ?? "" } };
}

/** Resolves once the service has the whole file. Throws `ApiError`, the abort reason of `signal`, or an `Error` if the file cannot be read. */
export async function uploadFromDisk(api: Api, path: string, target: UploadTarget, options: UploadOptions = {}): Promise<UploadedFile> {
  const { signal, name = basename(path), onStart, onProgress, onRetry, giveUpAfterMs = GIVE_UP_AFTER_MS } = options;
  signal?.throwIfAborted();
  const file = await openAsBlob(path);
  const { promise, resolve, reject } = Promise.withResolvers<UploadedFile>();
  let url = options.resumeFrom ?? null;
  let lastProgressAt = performance.now();
  /** `onStart`, which an empty file does not wait for before it is complete. */
  let starting: Promise<void> | undefined;
  let upload: { stop(): void } | undefined;
  let stallTimer: ReturnType<typeof setTimeout> | undefined;

  function watch(): void {
    clearTimeout(stallTimer);
    stallTimer = setTimeout(start, STALL_MS);
  }
  function start(): void {
    upload?.stop();
    watch();
    upload = startUpload(
      api,
      // The token identifies the account.
      { file, name, accountId: 0, url, ...toDestination(target) },
      {
        async created(created) {
          url = created;
          starting = (async () => onStart?.(created))();
          await starting.catch(reject);
        },
        progress(sentBytes) {
          lastProgressAt = performance.now();
          watch();
          onProgress?.(sentBytes, file.size);
        },
        retrying(_reason, error) {
          watch();
          // A browser waits until the person has signed in again; nobody gives a program another token.
          if (!error) return;
          if (error.status === 401 || (error.retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS || performance.now() - lastProgressAt > giveUpAfterMs) reject(error);
          else onRetry?.(error);
        },
        done: ({ fileId, savedAs }) =>
          resolve({ file_id: fileId, ...(savedAs ? { saved_as: { name: savedAs.name, folder_id: savedAs.folderId, folder_name: savedAs.folderName } } : {}) }),
        failed: (reason, error) => reject(error ?? offlineError(new Error(reason))),
        unreadable: () => reject(new Error(`${path} was changed or removed while it was uploaded`)),
      },
      blobReader,
    );
  }

  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  start();
  try {
    const uploaded = await promise;
    await starting;
    return uploaded;
  } finally {
    upload?.stop();
    clearTimeout(stallTimer);
    signal?.removeEventListener("abort", onAbort);
  }
}
