import * as operations from "../../contract/operations/files.ts";
import { fetchBytes } from "./bytes.ts";
import { call, type CallOptions } from "./http.ts";

/** What the service knows of a file: the documented record. */
export const getFileInfo = (file_id: number, options?: CallOptions) => call(operations.getFileInfo, { body: { file_id } }, options);

/** Which levels of peaks there are of a version. */
export const getPeaks = async (file_id: number, version: number, options?: CallOptions) =>
  (await call(operations.getPeaks, { params: { file_id }, query: { version } }, options)).data;

/** One level's bytes, by the address that `getPeaks` gave. */
export const getPeaksLevel = (url: string, options?: CallOptions) => fetchBytes(url, options);
