/** Collects what fault tests count, for the table at the end of `npm run faults`. */
import { appendFileSync } from "node:fs";

/** Set by `npm run faults`: a file with one JSON object per line. */
const FILE = "TALKBACK_FAULT_COUNTS";

/** What happened how often. Names that mean a broken promise, such as `lost`, must be 0: see `bin/faults/table.ts`. */
export type FaultCounts = Readonly<Record<string, number>>;

/** Adds counts to a row of the table. `on`: the engine or the place that it was tried on. Outside `npm run faults` this does nothing. */
export function reportFaults(fault: string, on: string, counts: FaultCounts): void {
  const file = process.env[FILE];
  if (file) appendFileSync(file, `${JSON.stringify({ fault, on, counts })}\n`);
}
