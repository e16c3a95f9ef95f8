/** Formats delivery rules for reading. */
import type { DeliveryRules } from "../../../../contract/delivery-records.ts";
import { t } from "../../../lib/texts/delivery-rules.ts";
import { localized } from "../../../lib/locale.ts";

/** The members of the rules that people read and edit. */
export type EditedRules = Pick<DeliveryRules, "loudness" | "true_peak_max" | "sample_rates" | "bit_depths" | "channels" | "formats" | "name_pattern">;

const decibelFormat = localized(({ language }) => new Intl.NumberFormat(language, { maximumFractionDigits: 1, useGrouping: false }));
const rateFormat = localized(({ language }) => new Intl.NumberFormat(language, { maximumFractionDigits: 3 }));

/** Names of surround formats by their number of channels. */
const SURROUND: Readonly<Record<number, string>> = { 6: "5.1", 8: "7.1", 12: "7.1.4" };
const FORMAT_NAMES: Readonly<Record<string, string>> = { opus: "Opus", vorbis: "Vorbis" };

/** Formats a number with a true minus sign. */
export const formatDecibels = (value: number): string => decibelFormat().format(value).replace("-", "\u2212");
export const formatRate = (hertz: number): string => t("kilohertz", { rate: rateFormat().format(hertz / 1_000) });
export const formatDepth = (bits: number): string => t("bits", { count: bits });
export const formatFormat = (format: string): string => FORMAT_NAMES[format] ?? format.toUpperCase();

export function formatChannelCount(count: number): string {
  if (count === 1) return t("mono");
  if (count === 2) return t("stereo");
  const name = SURROUND[count];
  return name === undefined ? t("channelCount", { count }) : t("surround", { name });
}

function formatList<T>(values: readonly T[], format: (value: T) => string): string {
  const texts = values.map((value) => format(value));
  const last = texts.pop() ?? "";
  return texts.length === 0 ? last : t("or", { first: texts.join(", "), last });
}

/** Returns a line for each rule that is set. */
export function describeRules(rules: EditedRules): { label: string; text: string }[] {
  const { loudness, true_peak_max, name_pattern } = rules;
  const lists = [
    { label: t("sampleRate"), text: formatList(rules.sample_rates, formatRate) },
    { label: t("bitDepth"), text: formatList(rules.bit_depths, formatDepth) },
    { label: t("channels"), text: formatList(rules.channels, formatChannelCount) },
    { label: t("format"), text: formatList(rules.formats, formatFormat) },
  ].filter(({ text }) => text !== "");
  return [
    ...(loudness
      ? [{ label: t("loudness"), text: t("anyLoudness", { target: formatDecibels(loudness.target), tolerance: formatDecibels(loudness.tolerance) }) }]
      : []),
    ...(true_peak_max === null ? [] : [{ label: t("truePeak"), text: t("atMost", { value: formatDecibels(true_peak_max) }) }]),
    ...lists,
    ...(name_pattern === null ? [] : [{ label: t("namePattern"), text: name_pattern }]),
  ];
}

/** Text in place of each token in an example. */
const SAMPLES: Readonly<Record<string, string>> = {
  "{project}": "Night Drive",
  "{title}": "Intro",
  "{version}": "3",
  "{date}": "2026-03-12",
  "{number}": "07",
  "*": "master",
  "?": "a",
};

/** Returns a name that fulfills the pattern; null for an empty pattern. */
export const exampleName = (pattern: string): string | null =>
  pattern.trim() === "" ? null : pattern.trim().replace(/\{\w+\}|\*|\?/g, (token) => SAMPLES[token] ?? token);
