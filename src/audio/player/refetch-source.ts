/** Fetches a track's current URL from the service, because the URLs of some services expire. */
import { ApiError } from "../../api/api-error.ts";
import type { Api } from "../../api/http.ts";
import { getFileInfo } from "../../api/files.ts";
import type { RefetchedSource } from "./recovery.ts";
import type { Track } from "./track.ts";

export async function refetchSource(api: Api, track: Track): Promise<RefetchedSource> {
  try {
    const { common } = await getFileInfo(api, track.fileId, track.version);
    // A service that returns only the newest version has no URL for this one, so the known URL remains.
    if (track.version !== null && common["version"] !== track.version) return { src: track.src };
    return { src: track.isOriginal ? common.url : (common.compressed_file_url ?? common.url) };
  } catch (error) {
    return error instanceof ApiError && (error.status === 404 || error.status === 403) ? "unavailable" : "unreachable";
  }
}
