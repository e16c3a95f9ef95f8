/** Formats file sizes in the reader's language. */
import { language } from "./language.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const formats = UNITS.map(
  (unit) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumSignificantDigits: 3 }),
);

/** "0 bytes", "812 kB", "42.3 MB", in decimal units. */
export function formatSize(bytes: number): string {
  let unit = 0;
  let value = Math.max(0, bytes);
  // Values such as 999.6 kB would round to 1,000 kB, so they move to the next unit.
  while (Math.round(value) >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return formats[unit]!.format(value);
}
