/** Checks what was measured of a file against the delivery rules of its team: pure. */
import type { DeliveryRuleResult, DeliveryRules } from "../../../contract/delivery-records.ts";
import { matchesPattern, parsePattern } from "./name-pattern.ts";

/** What is known of a version; null: not measured. Bit depth 0: the format has none. */
export interface Measurements {
  /** Without the extension. */
  name: string;
  project: string;
  format: string | null;
  sampleRate: number | null;
  bitDepth: number | null;
  channels: number | null;
  /** LUFS, and dBTP. */
  loudness: number | null;
  truePeak: number | null;
  /** Why the measurements are missing, such as "The file is still being analyzed." */
  missingReason: string;
}
export type CheckedRules = Pick<DeliveryRules, "loudness" | "true_peak_max" | "sample_rates" | "bit_depths" | "channels" | "formats" | "name_pattern">;

/** Loudness is compared as people read it, in tenths: -13.96 is shown as -14.0 and counts as such. Halves are rounded away from zero, as number formats do. */
const toTenths = (value: number): number => (Math.sign(value) * Math.round(Math.abs(value) * 10)) / 10;
export const formatDecibels = (value: number): string => toTenths(value).toFixed(1).replace("-", "\u2212");
const kilohertz = (rate: number): string => `${rate / 1_000} kHz`;
const bits = (depth: number): string => `${depth} bit`;
const anyOf = (values: readonly string[]): string => values.join(" or ");

type Verdict = Pick<DeliveryRuleResult, "rule" | "expected"> & { measured: string | null; passes: boolean; failure: string };

function conclude({ rule, expected, measured, passes, failure }: Verdict, missingReason: string): DeliveryRuleResult {
  if (measured === null) return { rule, expected, measured, result: "not_measured", reason: missingReason };
  return { rule, expected, measured, result: passes ? "passed" : "failed", reason: passes ? null : failure };
}

/** Returns one result for each rule that is set, in the order of the contract. */
export function checkDeliveryRules(rules: CheckedRules, file: Measurements): DeliveryRuleResult[] {
  const verdicts: Verdict[] = [];
  if (rules.loudness) {
    const { target, tolerance } = rules.loudness;
    const difference = file.loudness === null ? 0 : toTenths(toTenths(file.loudness) - target);
    verdicts.push({
      rule: "loudness",
      expected: `${formatDecibels(target)} LUFS \u00b1 ${formatDecibels(tolerance)} LU`,
      measured: file.loudness === null ? null : `${formatDecibels(file.loudness)} LUFS`,
      passes: Math.abs(difference) <= tolerance,
      failure: `${formatDecibels(Math.abs(difference))} LU too ${difference > 0 ? "loud" : "quiet"}`,
    });
  }
  if (rules.true_peak_max !== null)
    verdicts.push({
      rule: "true_peak",
      expected: `at most ${formatDecibels(rules.true_peak_max)} dBTP`,
      measured: file.truePeak === null ? null : `${formatDecibels(file.truePeak)} dBTP`,
      passes: file.truePeak !== null && toTenths(file.truePeak) <= rules.true_peak_max,
      failure: `${formatDecibels(toTenths(file.truePeak ?? 0) - rules.true_peak_max)} dB too high`,
    });
  const addChoice = <T extends string | number>(rule: string, allowed: readonly T[], value: T | null, format: (value: T) => string): void => {
    if (allowed.length === 0) return;
    const expected = anyOf(allowed.map(format));
    verdicts.push({
      rule,
      expected,
      measured: value === null ? null : format(value),
      passes: value !== null && allowed.includes(value),
      failure: `Not ${expected}`,
    });
  };
  addChoice("sample_rate", rules.sample_rates, file.sampleRate, kilohertz);
  addChoice("bit_depth", rules.bit_depths, file.bitDepth, (depth) => (depth === 0 ? "no bit depth (compressed)" : bits(depth)));
  addChoice("channels", rules.channels, file.channels, (count) => (count === 1 ? "mono" : count === 2 ? "stereo" : `${count} channels`));
  addChoice("format", rules.formats, file.format, (format) => format.toUpperCase());
  if (rules.name_pattern !== null)
    verdicts.push({
      rule: "name",
      expected: rules.name_pattern,
      measured: file.name,
      passes: matchesPattern(file.name, parsePattern(rules.name_pattern, { project: file.project })),
      failure: "The name does not match the pattern",
    });
  return verdicts.map((verdict) => conclude(verdict, file.missingReason));
}

/** `not_measured`: nothing failed, but something could not be checked. */
export function summarizeCheck(checks: readonly DeliveryRuleResult[]): "passed" | "failed" | "not_measured" | "no_rules" {
  if (checks.length === 0) return "no_rules";
  if (checks.some(({ result }) => result === "failed")) return "failed";
  return checks.some(({ result }) => result === "not_measured") ? "not_measured" : "passed";
}
