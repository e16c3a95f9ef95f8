import * as operations from "../../contract/operations/files-view.ts";
import { call, type CallInput, type CallOptions } from "./http.ts";

export type FilesQuery = NonNullable<CallInput<typeof operations.listFiles>["query"]>;

/** Returns a page of a folder's direct children, or of everything below the folder. */
export const listFiles = (project_id: number, query: FilesQuery, options?: CallOptions) =>
  call(operations.listFiles, { params: { project_id }, query }, options);

/** Returns every folder of a project, the root first. */
export const listFolders = async (project_id: number, options?: CallOptions) => (await call(operations.listFolders, { params: { project_id } }, options)).data;

/** Returns the filter values that occur in a project's files. */
export const getFileFacets = async (project_id: number, options?: CallOptions) =>
  (await call(operations.getFileFacets, { params: { project_id } }, options)).data;
