import { ApiError } from "../api/api-error.ts";
import { retryDelay } from "./query-client.ts";

const MAX_RETRY_DELAY_MS = 5_000;

/** Retries a reload until it succeeds, since no event will deliver the missing data; throws when the service refuses or `signal` aborts. */
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
