/** Builds the URLs of zips of a project's files and folders, and asks whether a download is there. */
import { getArchive } from "../../contract/operations/files-view.ts";
import { toApiError } from "./api-error.ts";
import { type Api, buildUrl } from "./http.ts";

/** Maximum length of a zip's name, in UTF-16 code units. */
const MAX_ARCHIVE_NAME_LENGTH = 255;

/** Returns the URL that downloads these files as one zip; `name` has no extension and is truncated if too long. `path`: of the operation. */
export function archiveUrl(api: Api, ids: readonly number[], name: string, path: string = getArchive.path): string {
  // Remove half of a surrogate pair left at the end by the cut.
  const stem = name.slice(0, MAX_ARCHIVE_NAME_LENGTH - ".zip".length).replace(/[\uD800-\uDBFF]$/, "");
  return api.address(buildUrl(path, {}, { ids: ids.join(","), name: `${stem}.zip` }));
}

/** Throws the service's error if nothing can be downloaded from `url`, without downloading its bytes. */
export async function assertDownloadAvailable(api: Api, url: string): Promise<void> {
  const controller = new AbortController();
  const response = await fetch(url, { credentials: api.credentials, headers: api.accountHeaders(null), signal: controller.signal });
  if (response.ok) return controller.abort();
  throw toApiError(response, await response.text());
}
