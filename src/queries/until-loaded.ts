import { ApiError } from "../api/api-error.ts";
import { retryDelay } from "./query-client.ts";

/** The longest pause before it is tried again, in milliseconds. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * What is loaded again lacks something that no event will bring any more: it is tried for as long as it takes, unless the service refuses.
 */
export async function untilLoaded<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError && error.isTemporary)) throw error;
      const pause = Math.min(retryDelay(failures, error), LONGEST_PAUSE_MS);
      await new Promise((resolve, reject) => {
        setTimeout(resolve, pause);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
  }
}
