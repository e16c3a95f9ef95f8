/** Handles calendar days such as "2026-03-02", which are the same in every time zone; the API sends a day as its midnight in UTC. */
import { language } from "./browser.ts";

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
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const epochMs = Date.parse(text);
  // A day that does not exist in its month parses as a different day.
  return !Number.isNaN(epochMs) && toIsoDate(new Date(epochMs).toISOString()) === text;
}
