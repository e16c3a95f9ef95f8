/** Loads a file's documented record, bytes from URLs that the service returned in a record, and the client's own files. */
import * as operations from "../../contract/operations/files.ts";
import type { Api, CallOptions } from "./http.ts";

/** HTTP status "206 Partial Content". */
const PARTIAL = 206;
const PAGE_TIMEOUT_MS = 30_000;

/** Returns the documented record of a file; `version` selects an older version, but a service without that extension returns the newest. */
export const getFileInfo = (api: Api, fileId: number, version: number | null, options?: CallOptions) =>
  api.call(operations.getFileInfo, { body: { file_id: fileId, ...(version === null ? {} : { version }) } }, options);

/** Fetches all bytes at a `url` of a record, such as one level of peaks. Throws `ApiError`, or the abort reason of `signal`. */
export const fetchBytes = async (api: Api, url: string, options?: CallOptions): Promise<ArrayBuffer> => (await api.fetchBytes(url, {}, options)).bytes;

/** Fetches the bytes from `from` up to `to` (exclusive) at `url`, or as many as exist; also works if the service ignores ranges. */
export async function fetchRange(api: Api, url: string, from: number, to: number, options?: CallOptions): Promise<ArrayBuffer> {
  const { status, bytes } = await api.fetchBytes(url, { range: `bytes=${from}-${to - 1}` }, options);
  return status === PARTIAL ? bytes : bytes.slice(from, to);
}

/** Fetches a file of the client itself, whichever service the client uses; throws if the request fails. */
export async function fetchPageFile(url: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  if (!response.ok) throw new Error(`The request for ${url} failed with status ${response.status}`);
  return response;
}
