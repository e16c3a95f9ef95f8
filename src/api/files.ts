/** Loads one file: its documented record, its versions, its peaks, and bytes from URLs that the service returned in a record. */
import * as operations from "../../contract/operations/files.ts";
import { buildUrl, type Api, type CallOptions } from "./http.ts";

/** HTTP status "206 Partial Content". */
const PARTIAL = 206;

/** Returns the documented record of a file; `version` selects an older version, but a service without that extension returns the newest. */
export const getFileInfo = (api: Api, file_id: number, version: number | null, options?: CallOptions) =>
  api.call(operations.getFileInfo, { body: { file_id, ...(version === null ? {} : { version }) } }, options);

/** Returns a file's versions, newest first. */
export const listVersions = async (api: Api, file_id: number, options?: CallOptions) =>
  (await api.call(operations.listVersions, { params: { file_id } }, options)).data;

/** Returns the URL from which a browser downloads one version of a file. */
export const originalUrl = (file_id: number, number: number): string =>
  buildUrl(operations.getContent.path, { file_id, number, variant: "original" }, { download: 1 });

/** Processes the file's current version again. */
export const retryProcessing = async (api: Api, file_id: number) => (await api.call(operations.retryProcessing, { params: { file_id } })).data;

/** Returns the available peak levels of a version. */
export const getPeaks = async (api: Api, file_id: number, version: number, options?: CallOptions) =>
  (await api.call(operations.getPeaks, { params: { file_id }, query: { version } }, options)).data;

/** Fetches all bytes at a `url` of a record, such as one level of peaks. Throws `ApiError`, or the abort reason of `signal`. */
export const fetchBytes = async (api: Api, url: string, options?: CallOptions): Promise<ArrayBuffer> => (await api.fetchBytes(url, {}, options)).bytes;

/** Fetches the bytes from `from` up to `to` (exclusive) at `url`, or as many as exist; also works if the service ignores ranges. */
export async function fetchRange(api: Api, url: string, from: number, to: number, options?: CallOptions): Promise<ArrayBuffer> {
  const { status, bytes } = await api.fetchBytes(url, { range: `bytes=${from}-${to - 1}` }, options);
  return status === PARTIAL ? bytes : bytes.slice(from, to);
}
