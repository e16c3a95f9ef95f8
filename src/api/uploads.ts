/** Runs resumable uploads (tus 1.0): tus-js-client sends, resumes and retries, and this module decides which errors are worth a retry. */
import type { DetailedError, HttpRequest, HttpResponse, Upload as TusUpload, UploadOptions } from "tus-js-client";
import { cleanName } from "../../contract/text.ts";
import { uploadResponse } from "../../contract/file-records.ts";
import { createUpload, deleteFile, getUpload } from "../../contract/operations/files.ts";
import { parseJson } from "../lib/parse-json.ts";
import { MAX_ERRORS, retryDelayMs } from "../lib/retry-policy.ts";
import { t } from "../lib/texts/uploads.ts";
import { ApiError, type FailureKind, offlineError, toApiError } from "./api-error.ts";
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

/** The created file. `savedAs` is its current name and folder; undefined if the service does not return them. */
export interface UploadResult {
  fileId: number;
  savedAs?: { name: string; folderId: number; folderName: string };
}

export interface UploadListener {
  /** Resolves (never rejects) once a reloaded page would resume at `url`. No byte is sent before, because that page would otherwise upload the file again. */
  created(url: string): Promise<void>;
  progress(sentBytes: number): void;
  /** A request failed and is repeated after a delay. `reason`: the service's; null if it was not reached or gave none. */
  retrying(reason: string | null, error?: ApiError): void;
  done(result: UploadResult): void;
  /** The transfer ended, and a retry would fail again. */
  failed(reason: string, error?: ApiError): void;
  /** The transfer ended, because the browser can no longer read the file's bytes. */
  unreadable(): void;
}

/** Bytes per request, small enough that progress stays accurate behind proxies that buffer whole requests. */
const CHUNK_BYTES = 16 * 1024 * 1024;
/** tus-js-client fails at the end of these delays: after more than the three days for which the service keeps an unfinished upload. */
const RETRY_DELAYS_MS = Array.from({ length: 20_000 }, (_, attempt) => retryDelayMs(attempt));
/** Minimum time between two progress updates, because faster changes are unreadable. */
const PROGRESS_INTERVAL_MS = 100;

/** Loads the code that transfers files. A load that failed fails again until the page is reloaded, because Chromium never repeats an import. */
export const loadTransferCode = () => import("tus-js-client");

const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);
const pathOf = (url: string) => `${createUpload.path}/${idOf(url)}`;
/** Returns null for an unfinished upload, and for what is no valid response. */
function toUploadResult(json: unknown): UploadResult | null {
  const { success, data } = uploadResponse.safeParse(json);
  if (!success) return null;
  const { file_id: fileId, landed } = data;
  return landed ? { fileId, savedAs: { name: landed.name, folderId: landed.folder_id, folderName: landed.folder_name } } : { fileId };
}

const fetchUploadResult = async (api: Api, url: string, options: { accountId: number; signal?: AbortSignal }): Promise<UploadResult | null> =>
  toUploadResult((await api.call(getUpload, { params: { upload_id: idOf(url) } }, options)).data);

/** Returns the destination as metadata for `createUpload`. */
function destinationMetadata(projectId: number, target: UploadDestination | null): Record<string, string> {
  if (target === null) return { project_id: String(projectId) };
  if (target.kind === "version") return { version_of: String(target.fileId) };
  return {
    parent_id: String(target.folderId),
    ...(target.path === ""
      ? {}
      : {
          path: target.path
            .split("/")
            .map((folder) => cleanName(folder))
            .join("/"),
        }),
  };
}

/** Returns what an upload does after a service error of a request with this method. */
export function uploadFailureKind({ status, failureKind }: ApiError, method: string): FailureKind {
  // The retry asks for the offset: if the upload is gone, it is created again, and if it cannot be finished, that request fails too.
  return method === "PATCH" && (status === 404 || status === 409 || status === 410) ? "wait" : failureKind;
}

/** Returns why the service does not take the bytes now, such as a limit or a full disk; null if it was not reached, gave no reason, or lacks the session. */
const retryReason = ({ status, detail }: ApiError): string | null => (status === 429 || status >= 500 ? (detail ?? null) : null);

/** Returns false if the file was moved, changed or deleted since it was chosen. */
async function isReadable(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function responseError(response: HttpResponse): ApiError {
  const retryAfter = response.getHeader("Retry-After");
  return toApiError(new Response(null, { status: response.getStatus(), headers: retryAfter ? { "retry-after": retryAfter } : {} }), response.getBody());
}

/** Returns the service's error behind an error of tus-js-client. */
function toServiceError(error: Error | DetailedError): ApiError {
  const { causingError = error, originalResponse = null } = error as Partial<DetailedError>;
  if (causingError instanceof ApiError) return causingError;
  return originalResponse ? responseError(originalResponse) : offlineError(error);
}

/**
 * Sends a file's bytes from the service's current offset on. The listener receives no calls after `stop`. `fileReader` reads the file where tus-js-client
 * has no reader for it.
 */
export function startUpload(
  api: Api,
  { file, name, projectId, accountId, url, target }: UploadInput,
  listener: UploadListener,
  fileReader?: UploadOptions["fileReader"],
): { stop(): void } {
  const controller = new AbortController();
  const { signal } = controller;
  let upload: TusUpload | undefined;
  let urlStored: Promise<void> | undefined;
  let result: UploadResult | null = null;
  let isUnreadable = false;
  /** Service errors since the last progress. */
  let errorCount = 0;
  /** Time before which the service asked for no further request. */
  let notBefore = 0;
  let lastReportedAt = 0;

  let delayTimer: ReturnType<typeof setTimeout> | undefined;

  async function beforeRequest(): Promise<void> {
    await urlStored;
    if (notBefore > Date.now()) await new Promise((resolve) => (delayTimer = setTimeout(resolve, notBefore - Date.now())));
    isUnreadable = !(await isReadable(file));
    // tus-js-client's `abort` does not end a request that has not been sent yet.
    if (isUnreadable || signal.aborted) throw new Error("The upload has ended");
  }

  async function afterResponse(request: HttpRequest, response: HttpResponse): Promise<void> {
    const status = response.getStatus();
    if (status >= 300) {
      // tus-js-client creates an upload again after nearly any error of HEAD, although only 404 and 410 mean that the service no longer has it.
      if (request.getMethod() !== "HEAD" || status === 404 || status === 410) return;
      const error = responseError(response);
      // A response to HEAD has no text, so the service is asked for its reason.
      if (error.failureKind === "refused") await fetchUploadResult(api, request.getURL(), { accountId, signal });
      throw error;
    }
    if (file.size > 0 && Number(response.getHeader("Upload-Offset") ?? NaN) !== file.size) return;
    result = toUploadResult(parseJson(response.getBody())) ?? (await fetchUploadResult(api, request.getURL(), { accountId, signal }));
    if (result === null) throw new ApiError({ kind: "malformed", status: 200, title: "The service has all bytes but no file" });
  }

  function shouldRetry(error: DetailedError, attempt: number): boolean {
    if (isUnreadable || signal.aborted) return false;
    const serviceError = toServiceError(error);
    const kind = uploadFailureKind(serviceError, error.originalRequest.getMethod());
    if (attempt === 0) errorCount = 0;
    if (kind === "refused" || (kind === "retry" && (errorCount += 1) >= MAX_ERRORS)) return false;
    notBefore = Date.now() + (serviceError.retryAfter ?? 0) * 1_000;
    listener.retrying(retryReason(serviceError), serviceError);
    return true;
  }

  function fail(error: Error | DetailedError): void {
    if (signal.aborted) return;
    if (isUnreadable) listener.unreadable();
    else {
      const serviceError = toServiceError(error);
      listener.failed(serviceError.reason, serviceError);
    }
  }

  async function run(): Promise<void> {
    const tus = await loadTransferCode().catch(() => null);
    if (signal.aborted) return;
    if (!tus) return listener.failed(t("reloadToUpload"));
    upload = new tus.Upload(file as File, {
      endpoint: api.address(createUpload.path),
      uploadUrl: url === null ? null : api.address(pathOf(url)),
      headers: api.accountHeaders(accountId),
      metadata: { name: cleanName(name), ...destinationMetadata(projectId, target) },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      // The caller stores the URL with the rest of the upload.
      storeFingerprintForResuming: false,
      ...(fileReader ? { fileReader } : {}),
      onUploadUrlAvailable() {
        if (!upload?.url) return;
        // The `Location` of a service behind a path may lack the path. Bytes and token go only to the service itself.
        upload.url = api.address(pathOf(upload.url));
        if (!signal.aborted) urlStored = listener.created(pathOf(upload.url));
      },
      onBeforeRequest: beforeRequest,
      onAfterResponse: afterResponse,
      onShouldRetry: shouldRetry,
      onProgress(sentBytes) {
        const now = performance.now();
        if (signal.aborted || (now - lastReportedAt < PROGRESS_INTERVAL_MS && sentBytes < file.size)) return;
        lastReportedAt = now;
        listener.progress(sentBytes);
      },
      onError: fail,
      onSuccess: () => void (signal.aborted || (result && listener.done(result))),
    });
    upload.start();
  }
  run().catch(fail);

  return {
    stop() {
      controller.abort();
      clearTimeout(delayTimer);
      void upload?.abort();
    },
  };
}

/**
 * Removes a canceled upload from the service, including a file created from it unless a message has it attached. Keeps a file that received the
 * upload as a version, because the file is older than the upload. Returns false if the service was unreachable or failed temporarily.
 */
export async function discardUpload(
  api: Api,
  { url, fileId, accountId, target }: Pick<UploadInput, "url" | "accountId"> & { fileId: number | null; target?: UploadInput["target"] },
): Promise<boolean> {
  try {
    // The last response may have been lost, so the service may have created a file whose id this page does not have.
    const createdFileId = fileId ?? (url === null ? null : ((await fetchUploadResult(api, url, { accountId }))?.fileId ?? null));
    if (createdFileId !== null && target?.kind === "version") return true;
    if (createdFileId !== null) await api.call(deleteFile, { body: { file_id: createdFileId, unless_sent: true } }, { accountId });
    else if (url !== null)
      await (await loadTransferCode()).Upload.terminate(api.address(pathOf(url)), { retryDelays: null, headers: api.accountHeaders(accountId) });
    return true;
  } catch (error) {
    return toServiceError(error as Error).failureKind === "refused";
  }
}
