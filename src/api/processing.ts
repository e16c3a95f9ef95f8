import { retryProcessing as operation } from "../../contract/operations/files.ts";
import { call } from "./http.ts";

/** Processes the file's current version again. */
export const retryProcessing = async (file_id: number) => (await call(operation, { params: { file_id } })).data;
