/** Provides the service's time, so that new messages get today's date even if the browser's clock is off by days. */

/** Smaller differences are ignored, because a slow response or a slightly inaccurate clock causes them. */
const MAX_DRIFT_MS = 2 * 60_000;
/** How far the service's clock is ahead of this machine's. */
let offsetMs = 0;

/** Epoch milliseconds. */
export const now = (): number => Date.now() + offsetMs;

/** Updates the offset from the `Date` header of a response that just arrived; ignores a missing or invalid header. */
export function syncClock(header: string | null): void {
  const driftMs = Date.parse(header ?? "") - Date.now();
  if (!Number.isNaN(driftMs)) offsetMs = Math.abs(driftMs) > MAX_DRIFT_MS ? driftMs : 0;
}
