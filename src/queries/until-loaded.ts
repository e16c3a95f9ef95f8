import { ApiError } from "../api/api-error.ts";
import { retryDelay } from "./query-client.ts";

/** The longest pause before it is tried again, in milliseconds. */
const MAX_RETRY_DELAY_MS = 5_000;

/**
 * What is loaded again lacks something that no event will bring any more: it is tried for as long as it takes, unless the service refuses.
 */
export async function loadUntilSuccess<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failureCount = 0; ; failureCount += 1) {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError && error.isTemporary)) throw error;
      const delayMs = Math.min(retryDelay(failureCount, error), MAX_RETRY_DELAY_MS);
      await new Promise((resolve, reject) => {
        setTimeout(resolve, delayMs);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
  }
}
