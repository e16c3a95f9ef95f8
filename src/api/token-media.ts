/**
 * Finds the addresses at which media elements and downloads get the bytes of a record's URL while an access token is used. Elements cannot send a token, so
 * the service signs the URL; where it does not offer that, the bytes are fetched with the token into memory once the URL alone has failed.
 */
import { createSignedUrl, getContent } from "../../contract/operations/files.ts";
import type { Clock } from "../lib/time.ts";
import { offlineError, timeoutError, toApiError, tooLargeError } from "./api-error.ts";
import { type Api, buildUrl } from "./http.ts";
import { parseProtectedUrl, type ProtectedUrl } from "./protected-url.ts";

export interface MediaUrls {
  /** Returns the address at which an element can load the bytes of a record's URL now, or null if `load` has to find it first. */
  get(url: string): string | null;
  /** Finds the address for an element. Throws `ApiError`, of the kind "too-large" if the bytes do not fit into memory. */
  load(url: string): Promise<string>;
  /**
   * Finds another address than the one that an element could not load; null if there is none. Throws `ApiError`, of the kind "too-large" if the bytes do not
   * fit into memory.
   */
  findAlternative(url: string, failedAddress: string): Promise<string | null>;
  /** True if the bytes of a URL cannot be downloaded by a plain link to it. */
  needsDownload(url: string): boolean;
  /** Finds the address from which the browser saves the bytes of a URL. `release` frees what it holds. Throws `ApiError`. */
  loadDownload(url: string): Promise<{ address: string; release(): void }>;
  /** Cancels transfers and releases all media in memory. */
  dispose(): void;
}

/** Bytes: a long uncompressed song, but not an album. */
const MAX_BLOB_BYTES = 100 * 1_024 ** 2;
/** Bytes of all media in memory; the least recently used are released first. */
const MAX_TOTAL_BLOB_BYTES = 150 * 1_024 ** 2;
/** Bytes of one download, which a browser moves to disk. */
const MAX_DOWNLOAD_BYTES = 1_024 ** 3;
/** Milliseconds without any byte after which a transfer has failed. */
const STALL_TIMEOUT_MS = 30_000;
/** Seconds for which URLs are signed. */
const SIGNED_SECONDS = 3_600;
/** Milliseconds before a signed URL expires at which it is replaced, long enough to begin loading. */
const EXPIRY_MARGIN_MS = 60_000;
/** Statuses with which a service refuses a request without the token; 404 also hides what is there. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);
/** Only these types are kept in memory under their own name, because a document of any other type could run scripts as this page. */
const PLAYABLE_TYPE = /^(audio|video|image)\/(?!svg)/;

const CONTENT_PATH = new RegExp(
  `^${getContent.path.replace("{file_id}", "(?<file>\\d+)").replace("{number}", "(?<version>\\d+)").replace("{variant}", "(?<variant>\\w+)")}$`,
);

interface SignedVersion {
  urls: Record<string, string>;
  /** Epoch milliseconds on the service's clock. */
  expiresAt: number;
}

interface LoadedBlob {
  url: string;
  bytes: number;
}

/** `createObjectUrl` and `revokeObjectUrl` are the browser's. */
export function createTokenMedia(
  api: Api,
  clock: Clock,
  {
    createObjectUrl = (blob: Blob) => URL.createObjectURL(blob),
    revokeObjectUrl = (url: string) => URL.revokeObjectURL(url),
    maxBlobBytes = MAX_BLOB_BYTES,
  } = {},
): MediaUrls {
  /** By file and version. */
  const signed = new Map<string, SignedVersion>();
  const signing = new Map<string, Promise<SignedVersion>>();
  /** By URL of the record, least recently used first. */
  const blobs = new Map<string, LoadedBlob>();
  const fetching = new Map<string, Promise<string | null>>();
  /** True once the service refused to send a file without the token that it sent with it. */
  let needsToken = false;
  const disposal = new AbortController();

  /** Returns which copy of which version a URL names, if the service signs URLs of this form. */
  function parseSignable({ path }: ProtectedUrl) {
    const groups = api.offers(createSignedUrl) ? CONTENT_PATH.exec(path)?.groups : undefined;
    if (!groups) return null;
    const { file = "", version = "", variant = "" } = groups;
    return { key: `${file}.${version}`, fileId: Number(file), version: Number(version), variant };
  }
  type Signable = NonNullable<ReturnType<typeof parseSignable>>;

  function findSigned({ key, variant }: Signable): string | null {
    const entry = signed.get(key);
    return entry && entry.expiresAt - EXPIRY_MARGIN_MS > clock.now() ? (entry.urls[variant] ?? null) : null;
  }

  /** Signs all copies of a version with one request, however many views wait for it. */
  async function sign(signable: Signable): Promise<string> {
    const { key, fileId, version, variant } = signable;
    const request =
      signing.get(key) ??
      api
        .data(createSignedUrl, {
          params: { file_id: fileId },
          body: { version, variant: variant as "original", expires_in: SIGNED_SECONDS },
        })
        .then(({ url, urls, expires_at }) => {
          const entry = { urls: { ...urls, [variant]: url }, expiresAt: Date.parse(expires_at) };
          signed.set(key, entry);
          return entry;
        })
        .finally(() => signing.delete(key));
    signing.set(key, request);
    const { urls } = await request;
    // The version may have got this copy after another view's request.
    return urls[variant] ?? sign(signable);
  }

  /** Fetches bytes with the token. Throws `ApiError`, also if there are more than `maxBytes`. */
  async function fetchBlob({ tokenUrl }: ProtectedUrl, maxBytes: number): Promise<Blob> {
    const stall = new AbortController();
    let timer = setTimeout(() => stall.abort(), STALL_TIMEOUT_MS);
    const signal = AbortSignal.any([stall.signal, disposal.signal]);
    let received = 0;
    try {
      const response = await fetch(tokenUrl, { headers: api.accountHeaders(null), credentials: api.credentials, signal });
      if (!response.ok) throw toApiError(response, await response.text());
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          clearTimeout(timer);
          timer = setTimeout(() => stall.abort(), STALL_TIMEOUT_MS);
          received += chunk.byteLength;
          if (received > maxBytes) controller.error(tooLargeError());
          else controller.enqueue(chunk);
        },
      });
      if (Number(response.headers.get("content-length")) > maxBytes) {
        await response.body?.cancel();
        throw tooLargeError();
      }
      const type = response.headers.get("content-type") ?? "";
      const blob = await new Response(response.body?.pipeThrough(counter) ?? null).blob();
      return new Blob([blob], { type: PLAYABLE_TYPE.test(type) ? type : "application/octet-stream" });
    } catch (error) {
      if (received > maxBytes) throw tooLargeError();
      if (error instanceof TypeError) throw offlineError(error);
      throw stall.signal.aborted ? timeoutError(STALL_TIMEOUT_MS, error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Returns whether the service refuses to send a file without the token; null if this page cannot read the response. Throws `ApiError` if the service fails
   * otherwise.
   */
  async function refusesWithoutToken({ href, tokenUrl }: ProtectedUrl): Promise<boolean | null> {
    if (href !== tokenUrl) return null;
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, disposal.signal, AbortSignal.timeout(STALL_TIMEOUT_MS)]);
    try {
      const response = await fetch(href, { headers: { range: "bytes=0-0" }, credentials: "omit", signal });
      if (!response.ok && !REFUSALS.has(response.status)) throw toApiError(response, await response.text());
      return !response.ok;
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    } finally {
      // The bytes are not needed.
      controller.abort();
    }
  }

  /** Fetches a file with the token, unless `findRefusal` finds that the service sends it without: then an element cannot use the bytes, and it returns null. */
  function fetchIntoMemory(url: ProtectedUrl, findRefusal: () => Promise<boolean | null>): Promise<string | null> {
    async function run(): Promise<string | null> {
      const isRefused = await findRefusal();
      if (isRefused === false) return null;
      const blob = await fetchBlob(url, maxBlobBytes);
      if (isRefused) needsToken = true;
      const entry = { url: createObjectUrl(blob), bytes: blob.size };
      blobs.set(url.href, entry);
      releaseBlobs(MAX_TOTAL_BLOB_BYTES, entry);
      return entry.url;
    }
    const fetched = fetching.get(url.href) ?? run().finally(() => fetching.delete(url.href));
    fetching.set(url.href, fetched);
    return fetched;
  }

  /** Releases the least recently used media until the others have at most this many bytes. */
  function releaseBlobs(maxTotalBytes: number, exceptEntry?: LoadedBlob): void {
    let total = 0;
    for (const { bytes } of blobs.values()) total += bytes;
    for (const [key, entry] of blobs) {
      if (total <= maxTotalBytes) return;
      if (entry === exceptEntry) continue;
      blobs.delete(key);
      revokeObjectUrl(entry.url);
      total -= entry.bytes;
    }
  }

  function findBlob({ href }: ProtectedUrl): string | null {
    const entry = blobs.get(href);
    if (!entry) return null;
    blobs.delete(href);
    blobs.set(href, entry);
    return entry.url;
  }

  return {
    get(url) {
      const parsed = parseProtectedUrl(api, url);
      if (!parsed) return url;
      const signable = parseSignable(parsed);
      return signable ? findSigned(signable) : (findBlob(parsed) ?? (needsToken ? null : parsed.href));
    },
    async load(url) {
      const parsed = parseProtectedUrl(api, url);
      if (!parsed) return url;
      const signable = parseSignable(parsed);
      if (signable) return findSigned(signable) ?? sign(signable);
      return findBlob(parsed) ?? (needsToken ? await fetchIntoMemory(parsed, async () => true) : null) ?? parsed.href;
    },
    async findAlternative(url, failedAddress) {
      const parsed = parseProtectedUrl(api, url);
      if (!parsed) return null;
      const signable = parseSignable(parsed);
      const known = signable ? findSigned(signable) : findBlob(parsed);
      if (known !== null && known !== failedAddress) return known;
      // A failed blob is damaged or of an unknown format, so fetching it again would not help.
      if (!signable) return known === null ? fetchIntoMemory(parsed, () => refusesWithoutToken(parsed)) : null;
      signed.delete(signable.key);
      const address = await sign(signable);
      return address === failedAddress ? null : address;
    },
    needsDownload: (url) => parseProtectedUrl(api, url) !== null,
    async loadDownload(url) {
      const parsed = parseProtectedUrl(api, url);
      const signable = parsed && parseSignable(parsed);
      if (signable) return { address: buildUrl(findSigned(signable) ?? (await sign(signable)), {}, { download: 1 }), release: () => {} };
      if (!parsed) return { address: url, release: () => {} };
      const address = createObjectUrl(await fetchBlob(parsed, MAX_DOWNLOAD_BYTES));
      return { address, release: () => revokeObjectUrl(address) };
    },
    dispose() {
      disposal.abort();
      releaseBlobs(-1);
    },
  };
}
