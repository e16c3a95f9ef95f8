/** Downloads files to the disk: as streams, and from where they stopped after a lost connection. */
import { open, rename, rm } from "node:fs/promises";
import { MAX_ERRORS, retryDelayMs } from "../../lib/retry-policy.ts";
import { ApiError, offlineError, toApiError } from "../api-error.ts";
import type { Api } from "../http.ts";
import { MAX_RETRY_AFTER_SECONDS, wait } from "./retries.ts";

export interface DownloadOptions {
  signal?: AbortSignal;
  /** `totalBytes` is null if the service does not give the length. */
  onProgress?(receivedBytes: number, totalBytes: number | null): void;
}

/** A transfer without any byte for this long is repeated. */
const STALL_MS = 60_000;

/** The file system failed, which another attempt would not change. */
class DiskError extends Error {
  constructor(cause: unknown) {
    super("The file cannot be written", { cause });
  }
}

const throwDiskError = (cause: unknown): never => {
  throw new DiskError(cause);
};

/**
 * Downloads a `url` of a record to `path`, which exists only once it is complete. The token is sent only to the service itself. Returns the number of bytes.
 * Throws `ApiError`, the abort reason of `signal`, or an error of the disk.
 */
export async function downloadToDisk(api: Api, url: string, path: string, { signal, onProgress }: DownloadOptions = {}): Promise<number> {
  const address = new URL(url, `${api.address("")}/`);
  const isOfService = address.origin === new URL(api.address("")).origin;
  const headers = isOfService ? api.accountHeaders(null) : {};
  const partPath = `${path}.part`;
  let received = 0;
  let etag: string | null = null;

  /** Receives what is missing. */
  async function transfer(): Promise<void> {
    const stalled = new AbortController();
    let timer = setTimeout(() => stalled.abort(), STALL_MS);
    const transferSignal = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
    try {
      const resumeHeaders = received > 0 && etag !== null ? { range: `bytes=${received}-`, "if-range": etag } : null;
      const response = await fetch(address, { headers: { ...headers, ...resumeHeaders }, signal: transferSignal });
      if (response.status === 401 && !isOfService) throw elsewhereError(address, api);
      if (!response.ok) throw toApiError(response, await response.text());
      // Without a range the service sends everything, as after a change of the file.
      if (response.status !== 206) received = 0;
      etag = response.headers.get("etag");
      const length = response.headers.get("content-length");
      const totalBytes = length === null || response.headers.has("content-encoding") ? null : received + Number(length);
      await using disk = await open(partPath, received > 0 ? "a" : "w").catch(throwDiskError);
      for await (const chunk of response.body ?? []) {
        clearTimeout(timer);
        timer = setTimeout(() => stalled.abort(), STALL_MS);
        await disk.writeFile(chunk).catch(throwDiskError);
        received += chunk.length;
        onProgress?.(received, totalBytes);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DiskError) throw error.cause;
      if (error instanceof ApiError) throw error;
      throw offlineError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    for (let attempt = 0; ; attempt += 1) {
      const before = received;
      try {
        await transfer();
        await rename(partPath, path);
        return received;
      } catch (error) {
        if (received > before) attempt = 0;
        if (!(error instanceof ApiError) || !error.isTemporary || attempt + 1 >= MAX_ERRORS || (error.retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS) throw error;
        await wait(Math.max((error.retryAfter ?? 0) * 1_000, retryDelayMs(attempt)), signal);
      }
    }
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
}

const elsewhereError = ({ origin }: URL, api: Api): ApiError =>
  new ApiError({
    kind: "problem",
    status: 401,
    title: "Sign-in required",
    detail: `The file is at ${origin}, to which the token of ${api.address("")} is not sent. Use the address that the service itself has as its base address.`,
  });
