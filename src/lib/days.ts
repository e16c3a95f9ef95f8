/** Handles calendar days such as "2026-03-02", which are the same in every time zone; the API sends a day as its midnight in UTC. */
import { language } from "./browser.ts";
import { padTwo } from "./format.ts";

const DAY_MS = 86_400_000;
const shortFormat = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });
const shortFormatWithYear = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const fullFormat = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });

/** Returns the day of a timestamp that represents one: "2026-03-02T00:00:00.000Z" becomes "2026-03-02". */
export const toIsoDate = (timestamp: string): string => timestamp.slice(0, "2026-03-02".length);

/** Returns the whole days from the reader's local date to the day: 0 today, -1 yesterday. */
export function daysUntil(day: string, now: Date = new Date()): number {
  return (Date.parse(toIsoDate(day)) - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY_MS;
}

/** "2 Mar", with the year if it is not the current one. */
export function formatDay(day: string, now: Date = new Date()): string {
  const date = new Date(toIsoDate(day));
  return (date.getUTCFullYear() === now.getFullYear() ? shortFormat : shortFormatWithYear).format(date);
}

/** "Monday, 2 March 2026", for titles. */
export const formatFullDay = (day: string): string => fullFormat.format(new Date(toIsoDate(day)));

/** Returns whether the text is a valid calendar day. */
export function isDay(text: string | null): text is string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const epochMs = Date.parse(text);
  // A day that does not exist in its month parses as a different day.
  return !Number.isNaN(epochMs) && toIsoDate(new Date(epochMs).toISOString()) === text;
}

/** Returns the start of the day in the reader's time zone; null for an invalid day. */
export function startOfDay(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(year, month - 1, date);
  start.setFullYear(year);
  return start.getMonth() === month - 1 && start.getDate() === date ? start : null;
}

/** Returns the date in the reader's time zone as "2026-11-17", the value of `<input type="date">`. */
export const toDateInput = (date: Date): string => `${String(date.getFullYear()).padStart(4, "0")}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;

/** Returns the time in the reader's time zone as "2026-11-17T14:31", the value of `<input type="datetime-local">`. */
export const toDateTimeInput = (date: Date): string => `${toDateInput(date)}T${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`;

/** Parses the value of `<input type="datetime-local">` to epoch milliseconds; null for incomplete input. */
export function parseDateTimeInput(text: string): number | null {
  const at = text === "" ? NaN : new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}
