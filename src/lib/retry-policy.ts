/** The retry policy of messages and uploads. */

const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
export const MAX_RETRY_DELAY_MS = 15_000;

/** After this many consecutive errors a message or upload fails, because further retries are unlikely to succeed. */
export const MAX_ERRORS = 6;

/** Returns the delay after an attempt; `attemptCount` counts those before it. */
export const retryDelayMs = (attemptCount: number): number => RETRY_DELAYS_MS[attemptCount] ?? MAX_RETRY_DELAY_MS;
