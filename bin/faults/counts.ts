/** What fault tests count: they report it with `server/testing/fault-counts.ts`, and `npm run faults` reads it back for its table. */
import { existsSync, readFileSync } from "node:fs";

/** Set by `npm run faults`: a file with one JSON object per line. */
export const COUNTS_FILE = "TALKBACK_FAULT_COUNTS";

/** The columns of the table, with their headings. */
export const COLUMNS = {
  broken: "broken",
  acknowledged: "acknowledged",
  lost: "lost",
  doubled: "doubled",
  misplaced: "out of order",
  repeated: "same id again",
  resumed: "resumed",
  leftovers: "left over",
  serverErrors: "5xx",
  hangs: "hangs",
  stateChanges: "changed on 4xx",
  clearFailures: "clear failures",
  unclearFailures: "unclear",
} as const;
export type Column = keyof typeof COLUMNS;

/** Each of these counts is a broken promise. */
export const MUST_BE_ZERO: readonly Column[] = ["lost", "doubled", "misplaced", "leftovers", "serverErrors", "hangs", "stateChanges", "unclearFailures"];
/** A test that broke nothing has shown nothing. */
export const MUST_NOT_BE_ZERO: readonly Column[] = ["broken"];

export type FaultCounts = Readonly<Partial<Record<Column, number>>>;
export interface FaultReport {
  fault: string;
  /** The engine, or another place that the fault was tried on. */
  on: string;
  counts: FaultCounts;
}

export const readReports = (file: string): FaultReport[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as FaultReport)
    : [];
