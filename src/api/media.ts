/**
 * Finds the addresses at which media elements and downloads get the bytes of a record's URL. With the session cookie these are the URLs themselves; with an
 * access token `token-media.ts`, which is not in the first load, finds them.
 */
import type { Clock } from "../lib/time.ts";
import { createLatePart } from "../lib/store.ts";
import { offlineError } from "./api-error.ts";
import type { Api } from "./http.ts";
import { parseProtectedUrl } from "./protected-url.ts";
import type { MediaUrls } from "./token-media.ts";

export function createMediaUrls(api: Api, clock: Clock): MediaUrls {
  const tokenMedia = createLatePart(async () => {
    const { createTokenMedia } = await import("./token-media.ts").catch((error: unknown) => {
      throw offlineError(error);
    });
    return createTokenMedia(api, clock);
  });
  const needsToken = (url: string): boolean => parseProtectedUrl(api, url) !== null;
  return {
    get: (url) => (needsToken(url) ? (tokenMedia.find()?.get(url) ?? null) : url),
    load: async (url) => (needsToken(url) ? (await tokenMedia.load()).load(url) : url),
    findAlternative: async (url, failedAddress) => (needsToken(url) ? (await tokenMedia.load()).findAlternative(url, failedAddress) : null),
    needsDownload: needsToken,
    loadDownload: async (url) => (needsToken(url) ? (await tokenMedia.load()).loadDownload(url) : { address: url, release: () => {} }),
    dispose: tokenMedia.dispose,
  };
}
