/** Lists and changes a project's files and folders, many at once, and builds the URLs of their zips. */
import * as view from "../../contract/operations/files-view.ts";
import * as operations from "../../contract/operations/files.ts";
import { toApiError } from "./api-error.ts";
import { buildUrl, type Api, type CallInput, type CallOptions } from "./http.ts";

/** Maximum length of a zip's name, in UTF-16 code units. */
const MAX_ARCHIVE_NAME_LENGTH = 255;

export type FilesQuery = NonNullable<CallInput<typeof view.listFiles>["query"]>;

/** Returns a page of a folder's direct children, or of everything below the folder. */
export const listFiles = (api: Api, project_id: number, query: FilesQuery, options?: CallOptions) =>
  api.call(view.listFiles, { params: { project_id }, query }, options);

/** Returns every folder of a project, the root first. */
export const listFolders = async (api: Api, project_id: number, options?: CallOptions) =>
  (await api.call(view.listFolders, { params: { project_id } }, options)).data;

/** Returns the filter values that occur in a project's files. */
export const getFileFacets = async (api: Api, project_id: number, options?: CallOptions) =>
  (await api.call(view.getFileFacets, { params: { project_id } }, options)).data;

export const createFolder = async (api: Api, parent_id: number, name: string, options?: CallOptions) =>
  (await api.call(operations.createFolder, { body: { parent_id, name } }, options)).data;

export interface FileChange {
  name?: string;
  removal_protection?: boolean;
  task_load_protection?: boolean;
}
export const updateFile = async (api: Api, file_id: number, body: FileChange, options?: CallOptions) =>
  (await api.call(view.updateFile, { params: { file_id }, body }, options)).data;

/** Moves all of the files or none. */
export const moveFiles = async (api: Api, file_ids: number[], parent_id: number, options?: CallOptions) =>
  (await api.call(view.moveFiles, { body: { file_ids, parent_id } }, options)).data;

/** Deletes all of the files or none. */
export const deleteFiles = async (api: Api, file_ids: number[], options?: CallOptions) =>
  (await api.call(view.deleteFiles, { body: { file_ids } }, options)).data;

/** Restores files deleted by `deleteFiles`. */
export const restoreFiles = async (api: Api, file_ids: number[], options?: CallOptions) =>
  (await api.call(view.restoreFiles, { body: { file_ids } }, options)).data;

/** Returns the URL that downloads these files as one zip; `name` has no extension and is truncated if too long. */
export function archiveUrl(ids: readonly number[], name: string): string {
  // Remove half of a surrogate pair left at the end by the cut.
  const stem = name.slice(0, MAX_ARCHIVE_NAME_LENGTH - ".zip".length).replace(/[\uD800-\uDBFF]$/, "");
  return buildUrl(view.getArchive.path, {}, { ids: ids.join(","), name: `${stem}.zip` });
}

/** Throws the service's error if no zip is available at `url`, without downloading its bytes. */
export async function assertArchiveAvailable(url: string): Promise<void> {
  const controller = new AbortController();
  const response = await fetch(url, { credentials: "same-origin", signal: controller.signal });
  if (response.ok) return controller.abort();
  throw toApiError(response, await response.text());
}
