/**
 * When a task with a schedule runs next. A local time that does not exist, because clocks go forward, runs at the moment when they do (2:30 becomes 3:00); one
 * that exists twice runs at the first.
 */
import { Cron } from "croner";
import { MINUTE } from "../../lib/clock.ts";

/** The shortest time between two runs. */
export const MIN_INTERVAL_MS = 15 * MINUTE;
/** Enough runs to find the shortest interval of an hour, a day or a week. */
const COMPARED_RUNS = 200;

const parse = (cron: string, timeZone: string): Cron => new Cron(cron, { mode: "5-part", timezone: timeZone });

/** Returns the first run after this time; null if there is none. Missed runs are not made up for: a task that was due many times runs once. */
export const nextRun = (cron: string, timeZone: string, after: number): number | null => parse(cron, timeZone).nextRun(new Date(after))?.getTime() ?? null;

/** Returns what is wrong with a schedule, or null. */
export function findScheduleIssue(cron: string, timeZone: string, now: number): { path: "cron" | "time_zone"; message: string } | null {
  try {
    Intl.DateTimeFormat("en", { timeZone });
  } catch {
    return { path: "time_zone", message: "must be a name of the IANA database, such as Europe/Berlin" };
  }
  let runs: number[];
  try {
    runs = parse(cron, timeZone)
      .nextRuns(COMPARED_RUNS, new Date(now))
      .map((run) => run.getTime());
  } catch {
    return { path: "cron", message: "must have minute, hour, day of the month, month and day of the week, such as 0 9 * * 1-5" };
  }
  if (runs.length === 0) return { path: "cron", message: "must have a time that comes" };
  const isTooOften = runs.some((run, index) => index > 0 && run - (runs[index - 1] ?? 0) < MIN_INTERVAL_MS);
  return isTooOften ? { path: "cron", message: "must leave at least 15 minutes between two runs" } : null;
}
