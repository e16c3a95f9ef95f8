/** Resumable uploads (tus 1.0) as one transfer at a time: begin or go on, stop, give up. Trying again is the caller's. */
import type * as z from "zod/mini";
import type { DetailedError, Upload as TusUpload } from "tus-js-client";
import { uploadResponse } from "../../contract/file-records.ts";
import { createUpload, deleteFile, getUpload } from "../../contract/operations/files.ts";
import { ApiError, toApiError } from "./api-error.ts";
import { accountHeaders, call } from "./http.ts";

/** A folder, and below it a path that is made where it is missing; or a file that gets another version. */
export type UploadDestination = { kind: "folder"; folderId: number; path: string } | { kind: "version"; fileId: number };

export interface UploadInput {
  file: Blob;
  name: string;
  projectId: number;
  /** Whose it is. */
  accountId: number;
  /** null: with a message of the project's chat. */
  target: UploadDestination | null;
  /** Where an earlier transfer of the same bytes stands; null begins anew. */
  url: string | null;
}

/** Why a transfer ended before its last byte. */
export type UploadFailure =
  /** The service was not reached, or asks to wait. */
  | { reason: "away"; afterMs?: number }
  /** The service failed; it may succeed later. */
  | { reason: "fault"; message: string }
  /** What was begun is not there any more: it expired, or its disk was lost. */
  | { reason: "gone" }
  /** The browser cannot read the file's bytes any more. */
  | { reason: "unreadable" }
  | { reason: "refused"; message: string };

/** What became of it. The place is that of a file now; undefined where the service does not tell. */
export interface UploadResult {
  fileId: number;
  landed?: { name: string; folderId: number; folderName: string };
}

export interface UploadListener {
  created(url: string): void;
  progress(sentBytes: number): void;
  done(result: UploadResult): void;
  failed(failure: UploadFailure): void;
}

/** Bytes per request: small enough for proxies that hold a request back until it is whole, so that progress is real. */
const CHUNK_BYTES = 16 * 1024 * 1024;

const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);
const pathOf = (id: string) => `${createUpload.path}/${id}`;
function toUploadResult({ file_id: fileId, landed }: z.output<typeof uploadResponse>): UploadResult {
  return landed ? { fileId, landed: { name: landed.name, folderId: landed.folder_id, folderName: landed.folder_name } } : { fileId };
}

async function fetchUploadResult(url: string, options: { accountId: number; signal?: AbortSignal }): Promise<UploadResult | null> {
  const { data } = await call(getUpload, { params: { upload_id: idOf(url) } }, options);
  const parsed = uploadResponse.safeParse(data);
  return parsed.success ? toUploadResult(parsed.data) : null;
}

/** What the request with the last byte was answered; null where that says nothing. */
function parseUploadResult(body: string | undefined): UploadResult | null {
  try {
    const parsed = uploadResponse.safeParse(JSON.parse(body ?? ""));
    return parsed.success ? toUploadResult(parsed.data) : null;
  } catch {
    return null;
  }
}

/** The destination in the words of `createUpload`. */
function destinationMetadata(projectId: number, target: UploadDestination | null): Record<string, string> {
  if (target === null) return { project_id: String(projectId) };
  if (target.kind === "version") return { version_of: String(target.fileId) };
  return { parent_id: String(target.folderId), ...(target.path === "" ? {} : { path: target.path }) };
}

/** What an error of the service means for an upload that has (or has not) begun. */
export function toUploadFailure(error: ApiError, hasStarted: boolean): UploadFailure {
  const { status, title, detail, errors } = error;
  const delay = error.retryAfter === undefined ? {} : { afterMs: error.retryAfter * 1_000 };
  // 401, 412: it waits for its owner to sign in again. 423: an earlier request for it is still being ended.
  if (error.isUnavailable || [401, 412, 423].includes(status)) return { reason: "away", ...delay };
  if (hasStarted && (status === 404 || status === 410)) return { reason: "gone" };
  // The offset is asked for anew.
  if (hasStarted && status === 409) return { reason: "away" };
  if (error.isTemporary || error.kind === "malformed") return { reason: "fault", message: detail ?? title };
  return { reason: "refused", message: errors[0]?.message ?? detail ?? title };
}

/** False for a file that was moved, changed or deleted since it was chosen. */
async function isReadable(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function tusErrorToApiError(error: Error | DetailedError): ApiError {
  const response = "originalResponse" in error ? error.originalResponse : null;
  const status = response?.getStatus() ?? 0;
  if (!response || status < 200) return new ApiError({ kind: "offline", status: 0, title: "The service cannot be reached" }, error);
  const retryAfter = response.getHeader("Retry-After");
  return toApiError(new Response(null, { status, headers: retryAfter ? { "retry-after": retryAfter } : {} }), response.getBody());
}

/** Sends a file's bytes, from where the service has them. After `stop` nothing is told any more. */
export function startUpload({ file, name, projectId, accountId, url, target }: UploadInput, listener: UploadListener): { stop(): void } {
  const controller = new AbortController();
  let upload: TusUpload | undefined;

  async function fail(error: unknown): Promise<void> {
    if (controller.signal.aborted) return;
    const apiError = error instanceof ApiError ? error : tusErrorToApiError(error as Error);
    const readable = apiError.status > 0 || (await isReadable(file));
    if (!controller.signal.aborted) listener.failed(readable ? toUploadFailure(apiError, (upload?.url ?? url) !== null) : { reason: "unreadable" });
  }

  async function run(): Promise<void> {
    // The last answer may have been lost: then the file is there already.
    if (url !== null) {
      const result = await fetchUploadResult(url, { accountId, signal: controller.signal });
      if (result !== null) return listener.done(result);
    }
    const tus = await import("tus-js-client");
    if (controller.signal.aborted) return;
    upload = new tus.Upload(file as File, {
      // One or the other: what has gone is for the caller to begin anew.
      ...(url === null ? { endpoint: createUpload.path } : { uploadUrl: pathOf(idOf(url)) }),
      headers: accountHeaders(accountId),
      metadata: { name, ...destinationMetadata(projectId, target) },
      chunkSize: CHUNK_BYTES,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable() {
        if (upload?.url) listener.created(pathOf(idOf(upload.url)));
      },
      onProgress: (sentBytes) => void (controller.signal.aborted || listener.progress(sentBytes)),
      onError: (error) => void fail(error),
      onSuccess: ({ lastResponse }) => void complete(upload!.url!, parseUploadResult(lastResponse?.getBody())).catch(fail),
    });
    upload.start();
  }
  async function complete(uploadUrl: string, responseResult: UploadResult | null): Promise<void> {
    const result = responseResult ?? (await fetchUploadResult(uploadUrl, { accountId, signal: controller.signal }));
    if (result === null) throw new ApiError({ kind: "malformed", status: 200, title: "The service has all bytes but no file" });
    if (!controller.signal.aborted) listener.done(result);
  }
  run().catch(fail);

  return {
    stop() {
      controller.abort();
      void upload?.abort();
    },
  };
}

interface DiscardInput {
  url: string | null;
  fileId: number | null;
  accountId: number;
  target?: UploadDestination | null;
}

/**
 * Lets the service forget an upload that is given up; what has become a file is deleted, unless a message carries it.
 * What has become a version stays: the file is older than it. False where the service was not reached, or could not do it now.
 */
export async function discardUpload({ url, fileId, accountId, target }: DiscardInput): Promise<boolean> {
  try {
    // The last answer may have been lost: then there is a file, though this page has not heard of it.
    const createdFileId = fileId ?? (url === null ? null : ((await fetchUploadResult(url, { accountId }))?.fileId ?? null));
    if (createdFileId !== null && target?.kind === "version") return true;
    if (createdFileId !== null) await call(deleteFile, { body: { file_id: createdFileId, unless_sent: true } }, { accountId });
    else if (url !== null) await (await import("tus-js-client")).Upload.terminate(pathOf(idOf(url)), { retryDelays: null, headers: accountHeaders(accountId) });
    return true;
  } catch (error) {
    const { reason } = toUploadFailure(error instanceof ApiError ? error : tusErrorToApiError(error as Error), false);
    return reason !== "away" && reason !== "fault";
  }
}
