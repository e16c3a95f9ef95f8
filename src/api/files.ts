/** Loads one file: its documented record, its versions, its peaks, and bytes from URLs that the service returned in a record. */
import * as operations from "../../contract/operations/files.ts";
import { offlineError, timeoutError, toApiError } from "./api-error.ts";
import { buildUrl, call, type CallOptions, defaultConnection } from "./http.ts";

const BYTES_TIMEOUT_MS = 30_000;
/** HTTP status "206 Partial Content". */
const PARTIAL = 206;

/** Returns the documented record of a file; `version` selects an older version, but a service without that extension returns the newest. */
export const getFileInfo = (file_id: number, version: number | null, options?: CallOptions) =>
  call(operations.getFileInfo, { body: { file_id, ...(version === null ? {} : { version }) } }, options);

/** Returns a file's versions, newest first. */
export const listVersions = async (file_id: number, options?: CallOptions) => (await call(operations.listVersions, { params: { file_id } }, options)).data;

/** Returns the URL from which a browser downloads one version of a file. */
export const originalUrl = (file_id: number, number: number): string =>
  buildUrl(operations.getContent.path, { file_id, number, variant: "original" }, { download: 1 });

/** Processes the file's current version again. */
export const retryProcessing = async (file_id: number) => (await call(operations.retryProcessing, { params: { file_id } })).data;

/** Returns the available peak levels of a version. */
export const getPeaks = async (file_id: number, version: number, options?: CallOptions) =>
  (await call(operations.getPeaks, { params: { file_id }, query: { version } }, options)).data;

/** Fetches all bytes at a `url` of a record, such as one level of peaks. Throws `ApiError`, or the abort reason of `signal`. */
export const fetchBytes = async (url: string, options: CallOptions = {}): Promise<ArrayBuffer> => (await requestBytes(url, {}, options)).bytes;

/** Fetches the bytes from `from` up to `to` (exclusive) at `url`, or as many as exist; also works if the service ignores ranges. */
export async function fetchRange(url: string, from: number, to: number, options: CallOptions = {}): Promise<ArrayBuffer> {
  const { status, bytes } = await requestBytes(url, { range: `bytes=${from}-${to - 1}` }, options);
  return status === PARTIAL ? bytes : bytes.slice(from, to);
}

async function requestBytes(url: string, headers: Record<string, string>, options: CallOptions): Promise<{ status: number; bytes: ArrayBuffer }> {
  const { connection = defaultConnection, signal, timeoutMs = BYTES_TIMEOUT_MS } = options;
  const timeoutSignal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(new URL(url, connection.base || location.origin), {
      headers: connection.token ? { ...headers, authorization: `Bearer ${connection.token}` } : headers,
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
      credentials: connection.token ? "omit" : "same-origin",
    });
    if (response.ok) return { status: response.status, bytes: await response.arrayBuffer() };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw timeoutSignal.aborted ? timeoutError(timeoutMs, cause) : offlineError(cause);
  }
  throw toApiError(response, await response.text().catch(() => ""));
}
