import { describe, expect, it } from "vitest";
import { checkDeliveryRules, type CheckedRules, type Measurements, summarizeCheck } from "./delivery-check.ts";
import { deliveryFormat } from "./measurements.ts";
import { matchesPattern, parsePattern } from "./name-pattern.ts";

const NO_RULES: CheckedRules = { loudness: null, true_peak_max: null, sample_rates: [], bit_depths: [], channels: [], formats: [], name_pattern: null };
const MIX: Measurements = {
  name: "Night Drive_Intro_v3",
  project: "Night Drive",
  format: "wav",
  sampleRate: 48_000,
  bitDepth: 24,
  channels: 2,
  loudness: -13.96,
  truePeak: -1.04,
  missingReason: "The file is still being analyzed.",
};
const check = (rules: Partial<CheckedRules>, file: Partial<Measurements> = {}) => checkDeliveryRules({ ...NO_RULES, ...rules }, { ...MIX, ...file });

describe("delivery check", () => {
  it.each([
    [-13.96, "passed", null],
    [-13.46, "passed", null],
    [-13.5, "passed", null],
    [-13.4, "failed", "0.6 LU too loud"],
    [-14.6, "failed", "0.6 LU too quiet"],
    [null, "not_measured", MIX.missingReason],
  ])("loudness %s is %s", (loudness, result, reason) => {
    expect(check({ loudness: { target: -14, tolerance: 0.5 } }, { loudness })).toMatchObject([{ rule: "loudness", result, reason }]);
  });
  it.each([
    [-1.04, "passed"],
    [-0.94, "failed"],
  ])("true peak %s of at most -1 is %s", (truePeak, result) => {
    expect(check({ true_peak_max: -1 }, { truePeak })).toMatchObject([{ rule: "true_peak", result }]);
  });
  it("rounds halves as the client does, which shows -0.85 as -0.9", () => {
    const expected = { measured: "\u22120.9 dBTP", result: "failed", reason: "0.1 dB too high" };
    expect(check({ true_peak_max: -1 }, { truePeak: -0.85 })).toMatchObject([expected]);
    expect(check({ true_peak_max: -0.9 }, { truePeak: -0.85 })).toMatchObject([{ result: "passed" }]);
  });
  it("lists each rule with what is expected and measured, and only the rules that are set", () => {
    const checks = check({ sample_rates: [44_100], bit_depths: [24], channels: [2], formats: ["wav", "flac"], name_pattern: "{project}_{title}_v{version}" });
    expect(checks.map(({ rule, expected, measured, result }) => [rule, expected, measured, result])).toEqual([
      ["sample_rate", "44.1 kHz", "48 kHz", "failed"],
      ["bit_depth", "24 bit", "24 bit", "passed"],
      ["channels", "stereo", "stereo", "passed"],
      ["format", "WAV or FLAC", "WAV", "passed"],
      ["name", "{project}_{title}_v{version}", "Night Drive_Intro_v3", "passed"],
    ]);
    expect(summarizeCheck(checks)).toBe("failed");
  });
  it("is not passed while something is not measured, and says when there are no rules", () => {
    expect(summarizeCheck(check({ bit_depths: [24], true_peak_max: -1 }, { truePeak: null }))).toBe("not_measured");
    expect(summarizeCheck(check({}))).toBe("no_rules");
  });
});

describe("name pattern", () => {
  it.each([
    ["*_master", "song_MASTER", true],
    ["*_master", "song_master2", false],
    ["{project}_v{version}", "Night Drive_v12", true],
    ["{project}_v{version}", "Night Drive_v", false],
    ["{project}_v{version}", "Day Drive_v1", false],
    ["take ?", "take 1", true],
    ["take ?", "take 12", false],
    ["a.c", "abc", false],
    ["take ?", "take \u{1F941}", true],
    ["take ?", "take ", false],
    ["{date}_mix", "20260131_mix", true],
    ["{date}_mix", "260131_mix", true],
    ["{date}_mix", "2026-01-31_mix", true],
    ["{date}_mix", "31.01.2026_mix", true],
    ["{date}_mix", "2026-01_mix", false],
    ["{date}_mix", "7_mix", false],
    ["{number}1", "4711", true],
    ["*-*-{number}", "a-b-c-12", true],
  ])("%s matches %s: %s", (pattern, name, expected) => {
    expect(matchesPattern(name, parsePattern(pattern, { project: "Night Drive" }))).toBe(expected);
  });
  it("takes no longer for a pattern that would make a regular expression hang", () => {
    const before = performance.now();
    expect(matchesPattern("a".repeat(255), parsePattern(`${"*".repeat(199)}b`))).toBe(false);
    expect(performance.now() - before).toBeLessThan(150);
  });
});

it.each([
  ["pcm_s24le", "wav", "wav"],
  ["pcm_s24be", "aiff", "aiff"],
  ["pcm_f32le", "w64", "wav"],
  ["pcm_s24le", "caf", "caf"],
  ["adpcm_ms", "wav", "adpcm_ms"],
  ["mp3float", "mp3", "mp3"],
  ["aac", "mp4", "aac"],
  ["alac", "mp4", "alac"],
  ["flac", "ogg", "flac"],
  ["vorbis", "ogg", "vorbis"],
])("%s in %s is the format %s", (encoding, container, format) => {
  expect(deliveryFormat(encoding, container)).toBe(format);
});
