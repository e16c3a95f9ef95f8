/** Reports what fault tests count, for the table at the end of `npm run faults`. */
import { appendFileSync } from "node:fs";
import { COUNTS_FILE, type FaultCounts, type FaultReport } from "../../bin/faults/counts.ts";

/**
 * Adds counts to the row of a fault. `on`: the engine or browser that it was tried on. A test calls this before it asserts, so that the table also shows
 * what was wrong. Outside `npm run faults` this does nothing.
 */
export function reportFaults(fault: string, on: string, counts: FaultCounts): void {
  const file = process.env[COUNTS_FILE];
  if (file) appendFileSync(file, `${JSON.stringify({ fault, on, counts } satisfies FaultReport)}\n`);
}
