/** The rules of a team as the form edits them: numbers as typed text, and lists in the order of their options. */
import { DELIVERY_FORMATS } from "../../../../contract/delivery-records.ts";
import { setDeliveryRules } from "../../../../contract/operations/delivery-rules.ts";
import { validate } from "../../../components/use-form.ts";
import { t } from "../../../lib/texts/delivery-rules.ts";
import type { DeliveryRulesBody } from "../../../queries/delivery-rules/use-delivery-rules.ts";
import { type EditedRules, formatDecibels } from "./format-rules.ts";

export interface RulesDraft {
  loudness: { target: string; tolerance: string };
  true_peak_max: string;
  sample_rates: readonly number[];
  bit_depths: readonly number[];
  channels: readonly number[];
  formats: readonly string[];
  name_pattern: string;
}

export const EMPTY_DRAFT: RulesDraft = {
  loudness: { target: "", tolerance: "" },
  true_peak_max: "",
  sample_rates: [],
  bit_depths: [],
  channels: [],
  formats: [],
  name_pattern: "",
};

/** The values that are offered beside those that a team has stored. */
export const OPTIONS = {
  sample_rates: [44_100, 48_000, 88_200, 96_000, 176_400, 192_000],
  bit_depths: [16, 24, 32],
  channels: [1, 2, 6, 8, 12],
  formats: DELIVERY_FORMATS,
} as const;

const inOrder = <T extends number | string>(values: readonly T[], options: readonly T[]): T[] => [
  ...options.filter((option) => values.includes(option)),
  ...values.filter((value) => !options.includes(value)),
];

/** Returns the options of a list, numbers in order, with stored values that are offered by no option. */
export function optionsWith<T extends number | string>(options: readonly T[], stored: readonly T[]): T[] {
  const all = [...new Set([...options, ...stored])];
  return all.every((value) => typeof value === "number") ? all.toSorted((a, b) => a - b) : all;
}

/** Returns the list with a value added or removed, in the order of its options. */
export const toggleValue = <T extends number | string>(values: readonly T[], value: T, isOn: boolean, options: readonly T[]): T[] =>
  options.filter((option) => (option === value ? isOn : values.includes(option)));

export function toDraft(rules: EditedRules): RulesDraft {
  const { loudness, true_peak_max, name_pattern } = rules;
  return {
    loudness: loudness ? { target: formatDecibels(loudness.target), tolerance: formatDecibels(loudness.tolerance) } : EMPTY_DRAFT.loudness,
    true_peak_max: true_peak_max === null ? "" : formatDecibels(true_peak_max),
    sample_rates: rules.sample_rates.toSorted((a, b) => a - b),
    bit_depths: rules.bit_depths.toSorted((a, b) => a - b),
    channels: rules.channels.toSorted((a, b) => a - b),
    formats: inOrder(rules.formats, DELIVERY_FORMATS),
    name_pattern: name_pattern ?? "",
  };
}

/** Returns whether saving the one draft instead of the other would change nothing. */
export const isSameDraft = (a: RulesDraft, b: RulesDraft): boolean => JSON.stringify(toBody(a)) === JSON.stringify(toBody(b));

/** Parses a number with a comma or point and any kind of minus; NaN if it is none. */
function parseDecimal(text: string): number {
  const trimmed = text
    .trim()
    .replace(/^[\u2212\u2013]/, "-")
    .replace(",", ".");
  return /^[+-]?\d*\.?\d+$|^[+-]?\d+\.$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

const isEmpty = (text: string): boolean => text.trim() === "";

export function toBody({ loudness, true_peak_max, name_pattern, ...lists }: RulesDraft): DeliveryRulesBody {
  return {
    loudness:
      isEmpty(loudness.target) && isEmpty(loudness.tolerance) ? null : { target: parseDecimal(loudness.target), tolerance: parseDecimal(loudness.tolerance) },
    true_peak_max: isEmpty(true_peak_max) ? null : parseDecimal(true_peak_max),
    sample_rates: [...lists.sample_rates],
    bit_depths: [...lists.bit_depths],
    channels: [...lists.channels],
    formats: [...lists.formats] as DeliveryRulesBody["formats"],
    name_pattern: isEmpty(name_pattern) ? null : name_pattern.trim(),
  };
}

/** The range of each number, as the contract has it. */
const RANGES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  "loudness.target": [-70, 0],
  "loudness.tolerance": [0, 20],
  true_peak_max: [-30, 6],
};

/** Returns what the service would refuse. */
export const findDraftErrors = (draft: RulesDraft) =>
  validate(setDeliveryRules.body, toBody(draft)).map(({ path, message }) => {
    const range = RANGES[path];
    return { path, message: range ? t("numberInvalid", { from: formatDecibels(range[0]), to: formatDecibels(range[1]) }) : message };
  });
