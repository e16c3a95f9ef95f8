/** The time as the service has it: a browser's clock may be off by days, and what is written now belongs under today's messages. */

/** Less than this is no wrong clock: an answer was long under way, or a machine is a little off. */
const MAX_DRIFT_MS = 2 * 60_000;
/** By how much the service is ahead of this machine. */
let offsetMs = 0;

/** Epoch milliseconds. */
export const now = (): number => Date.now() + offsetMs;

/** Learns from the `Date` header of an answer that has just come; one that is missing or strange teaches nothing. */
export function syncClock(header: string | null): void {
  const driftMs = Date.parse(header ?? "") - Date.now();
  if (!Number.isNaN(driftMs)) offsetMs = Math.abs(driftMs) > MAX_DRIFT_MS ? driftMs : 0;
}
