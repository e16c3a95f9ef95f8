/** Formats what the interface shows: durations and positions in seconds, file sizes, tempos, URLs, counts and initials. */
import { localized } from "./locale.ts";

const SIZE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const sizeFormats = localized(({ language }) =>
  SIZE_UNITS.map(
    (unit) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumSignificantDigits: 3 }),
  ),
);
const numberFormat = localized(({ language }) => new Intl.NumberFormat(language));
const bpmFormat = localized(({ language }) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }));
const segmenter = new Intl.Segmenter();

/** "3:42", "1:02:03", rounded down like a clock. */
export function formatPosition(seconds: number): string {
  // A position computed from pixels may fall slightly below the intended second.
  const parts = splitDuration(finiteOrZero(seconds) + 1e-6);
  return parts.hours > 0 ? `${parts.hours}:${padTwo(parts.minutes)}:${padTwo(parts.seconds)}` : `${parts.minutes}:${padTwo(parts.seconds)}`;
}

/** "1:23.4", with tenths. */
export function formatTenths(seconds: number): string {
  const tenths = Math.floor(finiteOrZero(seconds) * 10 + 1e-6);
  return `${formatPosition(tenths / 10)}.${tenths % 10}`;
}

/** Formats a key such as "Gb major" in the one spelling that the product shows: "F♯ major". Text that is no key stays as it is. */
export const formatKey = (key: string): string =>
  key
    .replace(/^Gb(?= major)/, "F#")
    .replace(/^([A-G])([#b])(?= (?:major|minor))/, (_, tonic: string, accidental: string) => tonic + (accidental === "#" ? "♯" : "♭"));

/** "1 minute 23 seconds" for screen readers, which would read a colon as a time of day. */
export function formatAccessibleDuration(seconds: number): string {
  const parts = splitDuration(finiteOrZero(seconds) + 1e-6);
  const units = (
    [
      [parts.hours, "hour"],
      [parts.minutes, "minute"],
      [parts.seconds, "second"],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return units.length > 0 ? units.join(" ") : "0 seconds";
}

function splitDuration(seconds: number) {
  const wholeSeconds = Math.floor(seconds);
  return { hours: Math.floor(wholeSeconds / 3600), minutes: Math.floor(wholeSeconds / 60) % 60, seconds: wholeSeconds % 60 };
}
const finiteOrZero = (seconds: number) => (Number.isFinite(seconds) && seconds > 0 ? seconds : 0);
export const padTwo = (value: number) => String(value).padStart(2, "0");

/** "0 bytes", "812 kB", "42.3 MB", in decimal units. */
export function formatSize(bytes: number): string {
  let unit = 0;
  let value = Math.max(0, bytes);
  // Values such as 999.6 kB would round to 1,000 kB, so they move to the next unit.
  while (Math.round(value) >= 1_000 && unit < SIZE_UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return sizeFormats()[unit]!.format(value);
}

/** "12,345". */
export const formatNumber = (value: number): string => numberFormat().format(value);

/** "128", "174.5". */
export const formatBpm = (bpm: number): string => bpmFormat().format(bpm);

/** Shortens a URL to the part that distinguishes it: "hooks.distro.example/talkback". */
export function formatUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}${search}`;
}

/** Formats a badge count: 100 and more become "99+", because the service stops counting at 100. */
export const formatBadge = (value: number) => (value > 99 ? "99+" : String(value));

/** Returns the first letters of the first and last word: "Ana Kovač" -> "AK". */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const picked = parts.length > 1 ? [parts[0]!, parts.at(-1)!] : parts;
  return picked.map((word) => [...segmenter.segment(word)][0]?.segment.toLocaleUpperCase() ?? "").join("");
}
