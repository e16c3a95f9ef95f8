/** Converts between points in time and what the clocks of a time zone show, both as epoch milliseconds. */
import { SECOND } from "./clock.ts";

/** Creating a format takes a hundred times as long as using it. A person may have any of about 600 zones; the oldest leaves for another one. */
const MAX_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = "numeric" as const;
    format = new Intl.DateTimeFormat("en", {
      timeZone,
      hourCycle: "h23",
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    if (formats.size >= MAX_FORMATS) formats.delete(formats.keys().next().value!);
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns what the clocks of the zone show at this time, as if they were in UTC. */
export function toLocalTime(time: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(time);
  const valueOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const second = Date.UTC(valueOf("year"), valueOf("month") - 1, valueOf("day"), valueOf("hour"), valueOf("minute"), valueOf("second"));
  return second + (((time % SECOND) + SECOND) % SECOND);
}

/** Returns when the clocks of the zone show this. While they are turned forward they never do: then an hour later. */
export function fromLocalTime(local: number, timeZone: string): number {
  const offsetAt = (time: number) => toLocalTime(time, timeZone) - time;
  const guess = local - offsetAt(local);
  return local - offsetAt(guess);
}
