/** Repeats calls that the service did not accept for now, as a program without a person in front of it must. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "../../../contract/define-operation.ts";
import { retryDelayMs } from "../../lib/retry-policy.ts";
import { ApiError } from "../api-error.ts";

/** Consecutive attempts of one call. With the delays between them, and without longer ones that the service asks for, about half a minute. */
const MAX_ATTEMPTS = 7;
/** Longer delays that a service asks for are the caller's decision: the call fails with the error that names them. */
export const MAX_RETRY_AFTER_SECONDS = 300;
/** Statuses that say that nothing was done. */
const NOT_DONE: ReadonlySet<number> = new Set([429, 503]);

/** Waits, and rejects with the abort reason of the signal. */
export const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
};

/** True if the operation changes nothing, so that it can be repeated although its response was lost: a GET, or in version 1 a POST that needs a right to read. */
export const isRead = ({ method, path, scope, idempotent }: Operation): boolean =>
  !idempotent && (method === "GET" || (path.startsWith("/v1/") && (scope?.endsWith(":read") ?? false)));

/**
 * Runs a call again after a 429 or 503, not before a `Retry-After` of up to five minutes has passed, and if `isRepeatable` also after a lost connection or an error of a proxy.
 * Throws the last error.
 */
export async function withRetries<T>(run: () => Promise<T>, { isRepeatable, signal }: { isRepeatable: boolean; signal?: AbortSignal | undefined }): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError) || attempt + 1 >= MAX_ATTEMPTS || (error.retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS) throw error;
      if (!NOT_DONE.has(error.status) && !(isRepeatable && error.isUnavailable)) throw error;
      await wait(Math.max((error.retryAfter ?? 0) * 1_000, retryDelayMs(attempt)), signal);
    }
  }
}
