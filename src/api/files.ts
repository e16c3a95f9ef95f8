import * as operations from "../../contract/operations/files.ts";
import { fetchBytes, fetchRange } from "./bytes.ts";
import { call, type CallOptions } from "./http.ts";

/** Returns the documented record of a file; `version` selects an older version, but a service without that extension returns the newest. */
export const getFileInfo = (file_id: number, version: number | null, options?: CallOptions) =>
  call(operations.getFileInfo, { body: { file_id, ...(version === null ? {} : { version }) } }, options);

/** Returns the available peak levels of a version. */
export const getPeaks = async (file_id: number, version: number, options?: CallOptions) =>
  (await call(operations.getPeaks, { params: { file_id }, query: { version } }, options)).data;

/** Fetches the bytes of one level from the URL that `getPeaks` returned. */
export const getPeaksLevel = (url: string, options?: CallOptions) => fetchBytes(url, options);

/** Fetches the bytes of one level from `from` up to `to` (exclusive). */
export const getPeaksRange = (url: string, from: number, to: number, options?: CallOptions) => fetchRange(url, from, to, options);

/** Processes the file's current version again. */
export const retryProcessing = async (file_id: number) => (await call(operations.retryProcessing, { params: { file_id } })).data;
