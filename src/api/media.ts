/**
 * Finds the addresses at which media elements and downloads get the bytes of a record's URL. With the session cookie these are the URLs themselves; with an
 * access token `token-media.ts`, which is not in the first load, finds them.
 */
import type { Clock } from "../lib/time.ts";
import { createLatePart } from "../lib/store.ts";
import type { Api } from "./http.ts";
import type { MediaUrls } from "./token-media.ts";

export function createMediaUrls(api: Api, clock: Clock): MediaUrls {
  const withToken = createLatePart(async () => (await import("./token-media.ts")).createTokenMedia(api, clock));
  return {
    get: (url) => (api.hasToken ? (withToken.find()?.get(url) ?? null) : url),
    load: async (url) => (api.hasToken ? (await withToken.load()).load(url) : url),
    findAlternative: async (url, failedAddress) => (api.hasToken ? (await withToken.load()).findAlternative(url, failedAddress) : null),
    // Until the code has loaded, every file is downloaded by `loadDownload`, which can do all.
    needsDownload: (url) => api.hasToken && (withToken.find()?.needsDownload(url) ?? true),
    loadDownload: async (url) => (api.hasToken ? (await withToken.load()).loadDownload(url) : { address: url, release: () => {} }),
    dispose: withToken.dispose,
  };
}
