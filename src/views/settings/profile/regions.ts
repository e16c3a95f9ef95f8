/** The time zones and formats that the profile page offers. */
import { language as browserLanguage } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/profile.ts";

/** Variants of English whose dates or numbers differ; all texts are English. */
const LOCALES = [
  "en-AU",
  "en-AT",
  "en-BE",
  "en-CA",
  "en-DK",
  "en-FI",
  "en-DE",
  "en-IN",
  "en-IE",
  "en-NL",
  "en-NZ",
  "en-ZA",
  "en-SE",
  "en-CH",
  "en-GB",
  "en-US",
];

export type Option = readonly [value: string | null, label: string];

/** Returns the time zones by city, which is what people look for; `current` is among them even if this browser has another name for it. */
export function timeZoneOptions(current: string | null, now: number): Option[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), ...(current === null ? [] : [current])]);
  const options = [...zones].map((zone): Option => [zone, zoneLabel(zone, now)]);
  return [[null, t("notSet")], ...options.toSorted(([, a], [, b]) => a.localeCompare(b))];
}

/** "Buenos Aires, America/Argentina (GMT−3)" */
export function zoneLabel(zone: string, now: number): string {
  const parts = zone.replaceAll("_", " ").split("/");
  const city = parts.at(-1) ?? zone;
  const region = parts.slice(0, -1).join("/");
  return `${city}${region && `, ${region}`}${offsetLabel(zone, now)}`;
}

function offsetLabel(timeZone: string, now: number): string {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: "shortOffset" }).formatToParts(now);
    return ` (${(parts.find(({ type }) => type === "timeZoneName")?.value ?? "").replace("-", "−")})`;
  } catch {
    return "";
  }
}

/** Returns the formats with an example of each. */
export function localeOptions(current: string | null, now: number): Option[] {
  const regions = new Intl.DisplayNames("en", { type: "region" });
  const sample = (locale: string) =>
    `${new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(now)} · ${new Intl.NumberFormat(locale).format(1_234.5)}`;
  const label = (locale: string) => {
    const { region } = new Intl.Locale(locale);
    return t("formatOption", { region: region ? (regions.of(region) ?? region) : locale, sample: sample(locale) });
  };
  const locales = new Set([...LOCALES, ...(current === null ? [] : [current])]);
  return [[null, t("asBrowser", { sample: sample(browserLanguage) })], ...[...locales].map((locale): Option => [locale, label(locale)])];
}
