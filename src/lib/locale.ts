/**
 * The language and time zone in which the page writes dates and numbers: those of the signed-in account, else those of the browser. Like the locale of
 * `Intl`, they belong to the whole page.
 */
import { isEnglish, language as browserLanguage } from "./browser.ts";
import { memoizeByIdentity } from "./memoize-by-identity.ts";

interface Locale {
  language: string;
  /** Undefined: the browser's. */
  timeZone: string | undefined;
}

let current: Locale = { language: browserLanguage, timeZone: undefined };

/** Returns a function that creates something once for the current locale, such as a format. */
export function localized<T>(create: (locale: Locale) => T): () => T {
  const createOnce = memoizeByIdentity(create);
  return () => createOnce(current);
}

/** Sets what the account has chosen. Null, a language other than English, which all texts are in, and a time zone that the browser does not know stand for the browser's own. */
export function setLocale({ locale, time_zone }: { locale?: string | null | undefined; time_zone?: string | null | undefined }): void {
  const language = locale && isEnglish(locale) ? locale : browserLanguage;
  const timeZone = time_zone && time_zone !== browserTimeZone() && isKnown(time_zone) ? time_zone : undefined;
  if (language !== current.language || timeZone !== current.timeZone) current = { language, timeZone };
}

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone }).format(0);
    return true;
  } catch {
    return false;
  }
}

const QUARTER_HOUR_MS = 15 * 60_000;
const MAX_OFFSETS = 5_000;

/** Returns by how many milliseconds the reader's clocks are ahead of UTC at a moment. */
const offsets = localized(({ timeZone }) => {
  if (timeZone === undefined) return (at: number) => -new Date(at).getTimezoneOffset() * 60_000;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  // Offsets change only at quarters of an hour, and lists of messages ask for many moments.
  const known = new Map<number, number>();
  return (at: number) => {
    const quarter = Math.floor(at / QUARTER_HOUR_MS);
    const offset = known.get(quarter) ?? parseOffset(format.formatToParts(at));
    if (known.size >= MAX_OFFSETS) known.clear();
    known.set(quarter, offset);
    return offset;
  };
});

/** Reads "GMT+05:30", or "GMT" for none. */
function parseOffset(parts: Intl.DateTimeFormatPart[]): number {
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -60_000 : 60_000) * (Number(hours) * 60 + Number(minutes));
}

/** Returns the moment at which clocks in UTC show what the reader's clocks show at `at`. */
export function toLocal(at: string | number | Date): number {
  const moment = new Date(at).getTime();
  return Number.isNaN(moment) ? moment : moment + offsets()(moment);
}

/** The reverse of `toLocal`. */
export function fromLocal(local: number): number {
  if (Number.isNaN(local)) return local;
  const estimate = local - offsets()(local);
  return local - offsets()(estimate);
}
