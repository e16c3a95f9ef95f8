import * as operations from "../../contract/operations/files.ts";
import { fetchBytes, fetchRange } from "./bytes.ts";
import { call, type CallOptions } from "./http.ts";

/** What the service knows of a file: the documented record. `version`: of an older one; a service without that extension answers with the newest. */
export const getFileInfo = (file_id: number, version: number | null, options?: CallOptions) =>
  call(operations.getFileInfo, { body: { file_id, ...(version === null ? {} : { version }) } }, options);

/** Which levels of peaks there are of a version. */
export const getPeaks = async (file_id: number, version: number, options?: CallOptions) =>
  (await call(operations.getPeaks, { params: { file_id }, query: { version } }, options)).data;

/** One level's bytes, by the address that `getPeaks` gave. */
export const getPeaksLevel = (url: string, options?: CallOptions) => fetchBytes(url, options);

/** The bytes `from` to `to` of it, the last one not included. */
export const getPeaksRange = (url: string, from: number, to: number, options?: CallOptions) => fetchRange(url, from, to, options);
