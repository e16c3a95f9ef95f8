/** Handles calendar days such as "2026-03-02", which are the same in every time zone; the API sends a day as its midnight in UTC. */
import { fromLocal, localized, toLocal } from "./locale.ts";
import { localDay } from "./time.ts";

const DAY_MS = 86_400_000;
const formats = localized(({ language }) => ({
  short: new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }),
  shortWithYear: new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
  full: new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" }),
}));

/** Returns the day of a timestamp that represents one: "2026-03-02T00:00:00.000Z" becomes "2026-03-02". */
export const toIsoDate = (timestamp: string): string => timestamp.slice(0, "2026-03-02".length);

/** Returns the whole days from the reader's local date to the day: 0 today, -1 yesterday. */
export function daysUntil(day: string, now: Date = new Date()): number {
  return Date.parse(toIsoDate(day)) / DAY_MS - localDay(now);
}

/** "2 Mar", with the year if it is not the current one. */
export function formatDay(day: string, now: Date = new Date()): string {
  const date = new Date(toIsoDate(day));
  const { short, shortWithYear } = formats();
  return (date.getUTCFullYear() === new Date(toLocal(now)).getUTCFullYear() ? short : shortWithYear).format(date);
}

/** "Monday, 2 March 2026", for titles. */
export const formatFullDay = (day: string): string => formats().full.format(new Date(toIsoDate(day)));

/** Returns whether the text is a valid calendar day. */
export function isDay(text: string | null): text is string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const epochMs = Date.parse(text);
  // A day that does not exist in its month parses as a different day.
  return !Number.isNaN(epochMs) && toIsoDate(new Date(epochMs).toISOString()) === text;
}

/** Returns the start of the day in the reader's time zone; null for an invalid day. */
export const startOfDay = (day: string): Date | null => (isDay(day) ? new Date(fromLocal(Date.parse(day))) : null);

/** Returns the end of the day in the reader's time zone, which is the start of the next one; null for an invalid day. */
export const endOfDay = (day: string): Date | null => (isDay(day) ? new Date(fromLocal(Date.parse(day) + DAY_MS)) : null);

/** Returns the date in the reader's time zone as "2026-11-17", the value of `<input type="date">`. */
export const toDateInput = (date: Date): string => toDateTimeInput(date).slice(0, "2026-11-17".length);

/** Returns the time in the reader's time zone as "2026-11-17T14:31", the value of `<input type="datetime-local">`. */
export const toDateTimeInput = (date: Date): string => new Date(toLocal(date)).toISOString().slice(0, "2026-11-17T14:31".length);

/** Parses the value of `<input type="datetime-local">` to epoch milliseconds; null for incomplete input. */
export function parseDateTimeInput(text: string): number | null {
  const at = fromLocal(Date.parse(`${text}Z`));
  return Number.isNaN(at) ? null : at;
}
