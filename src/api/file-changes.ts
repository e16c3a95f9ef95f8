/** What people do with files and folders, many at once. */
import * as operations from "../../contract/operations/files.ts";
import * as view from "../../contract/operations/files-view.ts";
import { toApiError } from "./api-error.ts";
import { buildUrl, call, type CallOptions } from "./http.ts";

export const makeFolder = async (parent_id: number, name: string, options?: CallOptions) =>
  (await call(operations.makeFolder, { body: { parent_id, name } }, options)).data;

export interface FileChange {
  name?: string;
  removal_protection?: boolean;
  task_load_protection?: boolean;
}
export const updateFile = async (file_id: number, body: FileChange, options?: CallOptions) =>
  (await call(view.updateFile, { params: { file_id }, body }, options)).data;

/** All or none of them. */
export const moveFiles = async (file_ids: number[], parent_id: number, options?: CallOptions) =>
  (await call(view.moveFiles, { body: { file_ids, parent_id } }, options)).data;

/** All or none of them. */
export const deleteFiles = async (file_ids: number[], options?: CallOptions) => (await call(view.deleteFiles, { body: { file_ids } }, options)).data;

/** Brings back what `deleteFiles` has taken away. */
export const restoreFiles = async (file_ids: number[], options?: CallOptions) => (await call(view.restoreFiles, { body: { file_ids } }, options)).data;

/** Newest first. */
export const listVersions = async (file_id: number, options?: CallOptions) => (await call(operations.listVersions, { params: { file_id } }, options)).data;

/** Where a browser saves one version of a file from. */
export const originalUrl = (file_id: number, number: number): string =>
  buildUrl(operations.getContent.path, { file_id, number, variant: "original" }, { download: 1 });

/** UTF-16 units that the name of a zip may have. */
const MAX_NAME_LENGTH = 255;

/** Where a browser saves one zip of these from; `name` without its type, cut where it is too long. */
export function archiveUrl(ids: readonly number[], name: string): string {
  // No half of a letter at the end.
  const stem = name.slice(0, MAX_NAME_LENGTH - ".zip".length).replace(/[\uD800-\uDBFF]$/, "");
  return buildUrl(view.getArchive.path, {}, { ids: ids.join(","), name: `${stem}.zip` });
}

/** Throws what the service says where there is no zip at an address; asks for none of its bytes. */
export async function assertArchiveAvailable(url: string): Promise<void> {
  const controller = new AbortController();
  const response = await fetch(url, { credentials: "same-origin", signal: controller.signal });
  if (response.ok) return controller.abort();
  throw toApiError(response, await response.text());
}
