/** Reads single values of records of the service document: each function returns a value of the documented type for any JSON. */

export type JsonRecord = Record<string, unknown>;

const NUMBER_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** ISO 8601 without a time zone, which the document defines as UTC; some services put a space between date and time. */
const TIME_WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)$/;
/** The beginning of ISO 8601 or of a date of HTTP, as in "Fri, 05 Jan 2024 10:00:00 GMT". */
const TIME_START = /^(\d{4}-\d{2}-\d{2}([T ]|$)|(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} )/;
/** Smaller numbers are no times: 1973 as seconds, 2 January 1970 as milliseconds. */
const MIN_EPOCH_SECONDS = 100_000_000;
/** Smaller numbers are seconds since 1970, larger ones milliseconds: 100 billion seconds are the year 5138. */
const MAX_EPOCH_SECONDS = 100_000_000_000;
/** Milliseconds: the largest time of a `Date`. */
const MAX_TIME = 8.64e15;

/** Returns null for anything other than an object. */
export const toRecord = (value: unknown): JsonRecord | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;

/** Returns a finite number, also from text such as "12.5"; else null. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === "string" && NUMBER_TEXT.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Returns an integer that a double holds exactly, rounded if necessary; else null. */
export function toInteger(value: unknown): number | null {
  const number = toNumber(value);
  const rounded = number === null ? null : Math.round(number) + 0;
  return rounded !== null && Number.isSafeInteger(rounded) ? rounded : null;
}

/** Returns a positive integer, also from digits in a string; else null. */
export function toId(value: unknown): number | null {
  const number = toInteger(value);
  return number !== null && number > 0 && number === toNumber(value) ? number : null;
}

/** Returns a number of at least 0; 0 if it is missing, which in these records means unknown. */
export const toAmount = (value: unknown): number => Math.max(0, toNumber(value) ?? 0);
export const toCount = (value: unknown): number => Math.max(0, toInteger(value) ?? 0);

/** Returns text, also from a number; else null. */
export const toText = (value: unknown): string | null => (typeof value === "string" ? value : typeof value === "number" ? String(value) : null);

/** Returns text with a visible character; else null. */
export function toName(value: unknown): string | null {
  const text = toText(value);
  return text === null || text.trim() === "" ? null : text;
}

/** Returns a boolean, also from its text or from 0 and 1; else null. */
export function toKnownBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  const text = toText(value)?.trim().toLowerCase();
  return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : null;
}

export const toBoolean = (value: unknown): boolean => toKnownBoolean(value) ?? false;

/** Returns an http(s) URL, resolved against `base` unless that is ""; null for text that is none, such as a `javascript:` URL. */
export function toUrl(value: unknown, base: string): string | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  const text = value.trim();
  const baseOrPage = base || "https://page.invalid";
  if (!URL.canParse(text, baseOrPage)) return null;
  const resolved = new URL(text, baseOrPage);
  if (!/^https?:$/.test(resolved.protocol)) return null;
  return base === "" ? text : resolved.href;
}

/**
 * Returns ISO 8601 text in UTC from any form that has one clear meaning: ISO 8601, also without a time zone (UTC), the date of HTTP, and seconds or
 * milliseconds since 1970. Else null, since `Date` makes a time of nearly any text with a number.
 */
export function toTimestamp(value: unknown): string | null {
  const number = toNumber(value);
  const text = typeof value === "string" ? value.trim() : "";
  const milliseconds = number !== null ? fromEpoch(number) : TIME_START.test(text) ? Date.parse(text.replace(TIME_WITHOUT_ZONE, "$1T$2Z")) : Number.NaN;
  return Math.abs(milliseconds) <= MAX_TIME ? new Date(milliseconds).toISOString() : null;
}

/** Returns milliseconds; NaN for a number that is more likely a year, a count or 20240105 than a time. */
function fromEpoch(epoch: number): number {
  if (epoch < MIN_EPOCH_SECONDS) return Number.NaN;
  return epoch < MAX_EPOCH_SECONDS ? epoch * 1000 : epoch;
}

export const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The most values of a waveform that are kept: as many as a track of three minutes shows at the closest zoom. */
const MAX_WAVE_VALUES = 262_144;
/** Loudest possible values of common integer formats: percent, and samples of 8, 16, 24 and 32 bits, with and without a sign. */
const FULL_SCALES = [100, 128, 255, 32_768, 65_535, 8_388_608, 2_147_483_648];
/** A louder value is no overshoot of samples that reach 1, but shows that another value is full scale. */
const MAX_OVERSHOOT = 2;
/** No integer format has a full scale this low, so the loudest value is taken for it. */
const MIN_FULL_SCALE = 16;

/**
 * Returns amplitudes from 0 to 1 from values of any scale, guessed by the loudest one; a value that is no number is silence. Too many values are
 * combined to the loudest of each group.
 */
export function toWave(value: unknown): number[] {
  const values = toArray(value);
  const length = Math.min(values.length, MAX_WAVE_VALUES);
  const wave = Array.from<number>({ length }).fill(0);
  let loudest = 0;
  for (let index = 0; index < values.length; index++) {
    const amplitude = Math.abs(toNumber(values[index]) ?? 0);
    const group = length === values.length ? index : Math.floor((index * length) / values.length);
    if (amplitude > wave[group]!) wave[group] = amplitude;
    if (amplitude > loudest) loudest = amplitude;
  }
  if (loudest <= 1) return wave;
  const fullScale = fullScaleOf(loudest);
  return wave.map((amplitude) => Math.min(1, amplitude / fullScale));
}

function fullScaleOf(loudest: number): number {
  if (!Number.isInteger(loudest) && loudest <= MAX_OVERSHOOT) return 1;
  return loudest < MIN_FULL_SCALE ? loudest : (FULL_SCALES.find((scale) => loudest <= scale) ?? loudest);
}

/**
 * Returns pairs of label and score from 0 to 1, best first; skips pairs that are incomplete. A list counts in percent if most of its scores are at least 1
 * and one is far above it.
 */
export function toTagScores(value: unknown): [string, number][] {
  const pairs = toArray(value).flatMap((pair): [string, number][] => {
    const [label, score] = [toName(toArray(pair)[0]), toNumber(toArray(pair)[1])];
    return label === null || score === null ? [] : [[label, score]];
  });
  const isPercent = pairs.some(([, score]) => score > MAX_OVERSHOOT) && pairs.filter(([, score]) => score >= 1).length * 2 > pairs.length;
  const fullScale = isPercent ? 100 : 1;
  return pairs.map(([label, score]): [string, number] => [label, Math.min(1, Math.max(0, score / fullScale))]).toSorted((a, b) => b[1] - a[1]);
}
