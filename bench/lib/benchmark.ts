/** What a benchmark is, what it measures, and how a measurement is judged. */
import type { BenchContext } from "./bench-context.ts";
import { ratiosOf, summarize, type Summary } from "./statistics.ts";

/** `of`: whether the limits are for the measured value, in its unit, or for its ratio to the yardstick. */
export interface Goal {
  of: "ratio" | "value";
  better: "higher" | "lower";
  must: number;
  aim?: number;
}

/** One line of the table. */
export interface Line {
  work: string;
  /** Such as "/s" or "ms". */
  unit: string;
  /** One per round. */
  values: number[];
  /** Measured in the same rounds, in turn with the work. */
  yardstick?: { name: string; values: number[] };
  /** Without a goal the line is information. */
  goal?: Goal;
  /** What a reader must know, such as a tool that is not installed. */
  note?: string;
}

export interface Benchmark {
  name: string;
  /** What is measured against what, in one line for `--list`. */
  title: string;
  run(context: BenchContext): Promise<Line[]>;
}

/** A line as it is printed and stored. */
export interface Result extends Line {
  name: string;
  value: Summary;
  reference: Summary | null;
  ratio: Summary | null;
  verdict: string;
}

const meets = (value: number, limit: number, better: Goal["better"]): boolean => (better === "higher" ? value >= limit : value <= limit);

/** Compares the median with the limits. */
export function judge(goal: Goal | undefined, value: Summary, ratio: Summary | null): string {
  if (!goal) return "";
  const measured = goal.of === "value" ? value.median : ratio?.median;
  if (measured === undefined || Number.isNaN(measured)) return "not measured";
  if (goal.aim !== undefined && meets(measured, goal.aim, goal.better)) return "reaches the aim";
  if (meets(measured, goal.must, goal.better)) return goal.aim === undefined ? "reaches what it must" : "reaches what it must, not the aim";
  return "MISSES what it must reach";
}

export function toResult(name: string, line: Line): Result {
  const value = summarize(line.values);
  const ratio = line.yardstick ? summarize(ratiosOf(line.values, line.yardstick.values)) : null;
  return { ...line, name, value, reference: line.yardstick ? summarize(line.yardstick.values) : null, ratio, verdict: judge(line.goal, value, ratio) };
}
