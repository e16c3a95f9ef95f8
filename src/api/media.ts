/**
 * Finds the addresses at which media elements and downloads get the bytes of a record's URL. With the session cookie these are the URLs themselves; with an
 * access token `token-media.ts`, which is not in the first load, finds them.
 */
import type { Clock } from "../lib/time.ts";
import { createLatePart } from "../lib/store.ts";
import type { Api } from "./http.ts";

export interface MediaUrls {
  /** Returns the address at which an element can load the bytes of a record's URL now, or null if `load` has to find it first. */
  get(url: string): string | null;
  /** Finds the address for an element. Throws `ApiError`, of the kind "too-large" if the bytes do not fit into memory. */
  load(url: string): Promise<string>;
  /**
   * Finds another address than the one that an element could not load; null if there is none. Throws `ApiError`, of the kind "too-large" if the bytes do not
   * fit into memory.
   */
  renew(url: string, failedAddress: string): Promise<string | null>;
  /** True if the bytes of a URL cannot be downloaded by a plain link to it. */
  needsDownload(url: string): boolean;
  /** Finds the address from which the browser saves the bytes of a URL. `release` frees what it holds. Throws `ApiError`. */
  loadDownload(url: string): Promise<{ address: string; release(): void }>;
  /** Cancels transfers and releases all media in memory. */
  dispose(): void;
}

export function createMediaUrls(api: Api, clock: Clock): MediaUrls {
  const withToken = createLatePart(async () => (await import("./token-media.ts")).createTokenMedia(api, clock));
  return {
    get: (url) => (api.hasToken ? (withToken.find()?.get(url) ?? null) : url),
    load: async (url) => (api.hasToken ? (await withToken.load()).load(url) : url),
    renew: async (url, failedAddress) => (api.hasToken ? (await withToken.load()).renew(url, failedAddress) : null),
    // Until the code has loaded, every file is downloaded by `loadDownload`, which can do all.
    needsDownload: (url) => api.hasToken && (withToken.find()?.needsDownload(url) ?? true),
    loadDownload: async (url) => (api.hasToken ? (await withToken.load()).loadDownload(url) : { address: url, release: () => {} }),
    dispose: withToken.dispose,
  };
}
