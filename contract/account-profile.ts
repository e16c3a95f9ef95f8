/** What an account says about its person besides name and address: time zone, locale, working hours. The rules are the same for service and client. */
import * as z from "zod/mini";
import { withDescription } from "./text.ts";

/** Names of the IANA database, and no offsets such as "+02:00", which do not follow daylight saving time. */
const ZONE_NAME = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;
const MAX_NAME_LENGTH = 64;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Returns whether the name is a time zone that this program knows. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH || !ZONE_NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format(0);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the tag is a language tag (BCP 47) in its standard form, such as "en-GB". */
export function isLocale(tag: string): boolean {
  try {
    return tag.length <= MAX_NAME_LENGTH && Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

const timeOfDay = z.string().check(z.regex(TIME_OF_DAY, "must be a time of day, such as 09:30"));

const newWorkingHours = z.object({
  days: z.array(z.int().check(z.minimum(1), z.maximum(7))).check(
    z.minLength(1, "must include at least one day"),
    z.maxLength(7),
    z.refine((days) => new Set(days).size === days.length, "must not repeat a day"),
  ),
  start: timeOfDay,
  end: timeOfDay,
});
export type WorkingHours = z.infer<typeof newWorkingHours>;

/** Members of a change of the profile; null removes the value. */
export const profileChanges = {
  time_zone: withDescription(
    z.optional(z.nullable(z.string().check(z.refine(isTimeZone, "must be a time zone of the IANA database, such as Europe/Zagreb")))),
    "a name of the IANA database; null: not set",
  ),
  locale: withDescription(
    z.optional(z.nullable(z.string().check(z.refine(isLocale, "must be a language tag, such as en-GB")))),
    "how dates and numbers are written (BCP 47); null: as the browser does",
  ),
  working_hours: withDescription(
    z.optional(z.nullable(newWorkingHours.check(z.refine(({ start, end }) => start !== end, { message: "must not end when they start", path: ["end"] })))),
    "in `time_zone`; null: not set",
  ),
};

/** Side lengths of the stored pictures in pixels: for rows of lists, for cards, and for whoever shows one in full. */
export const AVATAR_SIDES = { small: 96, medium: 192, large: 512 } as const;
export type AvatarSize = keyof typeof AVATAR_SIDES;

export interface LocalTime {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

const MINUTES_PER_DAY = 24 * 60;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Returns the weekday and time of day in a time zone. Throws for a time zone that this program does not know. */
export function localTimeIn(timeZone: string, at: number): LocalTime {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { weekday: WEEKDAYS.indexOf(parts["weekday"] ?? "") + 1, minutes: Number(parts["hour"]) * 60 + Number(parts["minute"]) };
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns whether a moment is within the working hours. */
export function isWorkingTime({ days, start, end }: WorkingHours, { weekday, minutes }: LocalTime): boolean {
  const [from, until] = [minutesOf(start), minutesOf(end)];
  if (from < until) return days.includes(weekday) && minutes >= from && minutes < until;
  const yesterday = weekday === 1 ? 7 : weekday - 1;
  return (days.includes(weekday) && minutes >= from && minutes < MINUTES_PER_DAY) || (days.includes(yesterday) && minutes < until);
}
