/** Runs resumable uploads (tus 1.0), each as one transfer that starts, resumes and stops; the caller retries. */
import type * as z from "zod/mini";
import type { DetailedError, Upload as TusUpload } from "tus-js-client";
import { uploadResponse } from "../../contract/file-records.ts";
import { createUpload, deleteFile, getUpload } from "../../contract/operations/files.ts";
import { ApiError, toApiError } from "./api-error.ts";
import type { Api } from "./http.ts";

/** A folder with a path below it, whose missing folders are created, or a file that gets a new version. */
export type UploadDestination = { kind: "folder"; folderId: number; path: string } | { kind: "version"; fileId: number };

export interface UploadInput {
  file: Blob;
  name: string;
  projectId: number;
  /** Account that owns the upload. */
  accountId: number;
  /** null: the file is uploaded for a message in the project's chat. */
  target: UploadDestination | null;
  /** URL of an earlier transfer of the same bytes to resume; null starts a new one. */
  url: string | null;
}

/** Reasons why a transfer ended before its last byte. */
export type UploadFailure =
  /** The service was unreachable or asked to wait. */
  | { reason: "unreachable"; afterMs?: number }
  /** The service failed temporarily. */
  | { reason: "serverError"; message: string }
  /** The upload no longer exists: it expired, or its disk was lost. */
  | { reason: "missing" }
  /** The browser can no longer read the file's bytes. */
  | { reason: "unreadable" }
  | { reason: "refused"; message: string };

/** The created file. `savedAs` is its current name and folder; undefined if the service does not return them. */
export interface UploadResult {
  fileId: number;
  savedAs?: { name: string; folderId: number; folderName: string };
}

export interface UploadListener {
  /** Resolves (never rejects) once a reloaded page would resume at `url`. No byte is sent before, because that page would otherwise upload the file again. */
  created(url: string): Promise<void>;
  progress(sentBytes: number): void;
  done(result: UploadResult): void;
  failed(failure: UploadFailure): void;
}

/** Bytes per request, small enough that progress stays accurate behind proxies that buffer whole requests. */
const CHUNK_BYTES = 16 * 1024 * 1024;

const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);
const pathOf = (id: string) => `${createUpload.path}/${id}`;
function toUploadResult({ file_id: fileId, landed }: z.output<typeof uploadResponse>): UploadResult {
  return landed ? { fileId, savedAs: { name: landed.name, folderId: landed.folder_id, folderName: landed.folder_name } } : { fileId };
}

async function fetchUploadResult(api: Api, url: string, options: { accountId: number; signal?: AbortSignal }): Promise<UploadResult | null> {
  const { data } = await api.call(getUpload, { params: { upload_id: idOf(url) } }, options);
  const parsed = uploadResponse.safeParse(data);
  return parsed.success ? toUploadResult(parsed.data) : null;
}

/** Parses the response to the request with the last byte; returns null if the body is not a valid upload response. */
function parseUploadResult(body: string | undefined): UploadResult | null {
  try {
    const parsed = uploadResponse.safeParse(JSON.parse(body ?? ""));
    return parsed.success ? toUploadResult(parsed.data) : null;
  } catch {
    return null;
  }
}

/** Returns the destination as metadata for `createUpload`. */
function destinationMetadata(projectId: number, target: UploadDestination | null): Record<string, string> {
  if (target === null) return { project_id: String(projectId) };
  if (target.kind === "version") return { version_of: String(target.fileId) };
  return { parent_id: String(target.folderId), ...(target.path === "" ? {} : { path: target.path }) };
}

/** Maps a service error to an upload failure; `hasStarted` is true once the upload exists on the service. */
export function toUploadFailure(error: ApiError, hasStarted: boolean): UploadFailure {
  const { status, title, detail, failureKind } = error;
  // 423: an earlier request for the upload is still ending.
  if (failureKind === "wait" || status === 423)
    return { reason: "unreachable", ...(error.retryAfter === undefined ? {} : { afterMs: error.retryAfter * 1_000 }) };
  if (hasStarted && (status === 404 || status === 410)) return { reason: "missing" };
  // The next attempt requests the offset again.
  if (hasStarted && status === 409) return { reason: "unreachable" };
  if (failureKind === "retry") return { reason: "serverError", message: detail ?? title };
  return { reason: "refused", message: error.reason };
}

/** Returns false if the file was moved, changed or deleted since it was chosen. */
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
  if (!response || status < 200) return new ApiError({ kind: "offline", status: 0, title: "Can't reach the server" }, error);
  const retryAfter = response.getHeader("Retry-After");
  return toApiError(new Response(null, { status, headers: retryAfter ? { "retry-after": retryAfter } : {} }), response.getBody());
}

/** Sends a file's bytes from the service's current offset on. The listener receives no calls after `stop`. */
export function startUpload(api: Api, { file, name, projectId, accountId, url, target }: UploadInput, listener: UploadListener): { stop(): void } {
  const controller = new AbortController();
  let upload: TusUpload | undefined;
  let urlStored: Promise<void> | undefined;

  async function fail(error: unknown): Promise<void> {
    if (controller.signal.aborted) return;
    const apiError = error instanceof ApiError ? error : tusErrorToApiError(error as Error);
    const readable = apiError.status > 0 || (await isReadable(file));
    if (!controller.signal.aborted) listener.failed(readable ? toUploadFailure(apiError, (upload?.url ?? url) !== null) : { reason: "unreadable" });
  }

  async function run(): Promise<void> {
    // The last response of an earlier transfer may have been lost, in which case the file already exists.
    if (url !== null) {
      const result = await fetchUploadResult(api, url, { accountId, signal: controller.signal });
      if (result !== null) return listener.done(result);
    }
    const tus = await import("tus-js-client");
    if (controller.signal.aborted) return;
    upload = new tus.Upload(file as File, {
      // Pass either `endpoint` or `uploadUrl`: the caller decides whether to restart an upload that no longer exists.
      ...(url === null ? { endpoint: createUpload.path } : { uploadUrl: pathOf(idOf(url)) }),
      headers: api.accountHeaders(accountId),
      metadata: { name, ...destinationMetadata(projectId, target) },
      chunkSize: CHUNK_BYTES,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable() {
        if (upload?.url) urlStored = listener.created(pathOf(idOf(upload.url)));
      },
      async onBeforeRequest(request) {
        if (request.getMethod() !== "PATCH") return;
        await urlStored;
        // `abort` does not end a request that has not been sent yet.
        controller.signal.throwIfAborted();
      },
      onProgress: (sentBytes) => void (controller.signal.aborted || listener.progress(sentBytes)),
      onError: (error) => void fail(error),
      onSuccess: ({ lastResponse }) => void complete(upload!.url!, parseUploadResult(lastResponse?.getBody())).catch(fail),
    });
    upload.start();
  }
  async function complete(uploadUrl: string, responseResult: UploadResult | null): Promise<void> {
    const result = responseResult ?? (await fetchUploadResult(api, uploadUrl, { accountId, signal: controller.signal }));
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
 * Removes a canceled upload from the service, including a file created from it unless a message has it attached. Keeps a file that received the
 * upload as a version, because the file is older than the upload. Returns false if the service was unreachable or failed temporarily.
 */
export async function discardUpload(api: Api, { url, fileId, accountId, target }: DiscardInput): Promise<boolean> {
  try {
    // The last response may have been lost, so the service may have created a file whose id this page does not have.
    const createdFileId = fileId ?? (url === null ? null : ((await fetchUploadResult(api, url, { accountId }))?.fileId ?? null));
    if (createdFileId !== null && target?.kind === "version") return true;
    if (createdFileId !== null) await api.call(deleteFile, { body: { file_id: createdFileId, unless_sent: true } }, { accountId });
    else if (url !== null)
      await (await import("tus-js-client")).Upload.terminate(pathOf(idOf(url)), { retryDelays: null, headers: api.accountHeaders(accountId) });
    return true;
  } catch (error) {
    const { reason } = toUploadFailure(error instanceof ApiError ? error : tusErrorToApiError(error as Error), false);
    return reason !== "unreachable" && reason !== "serverError";
  }
}
