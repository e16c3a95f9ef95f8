import { describe, expect, test } from "vitest";
import { describeRules, exampleName, formatChannelCount } from "./format-rules.ts";
import { PRESETS } from "./presets.ts";
import { EMPTY_DRAFT, findDraftErrors, isSameDraft, optionsWith, type RulesDraft, toBody, toDraft, toggleValue } from "./rules-draft.ts";

const NO_RULES = { loudness: null, true_peak_max: null, sample_rates: [], bit_depths: [], channels: [], formats: [], name_pattern: null };
const draftWith = (changes: Partial<RulesDraft>): RulesDraft => ({ ...EMPTY_DRAFT, ...changes });

describe("rules in the form", () => {
  test("rules survive the way into the form and back", () => {
    for (const { rules } of PRESETS) expect(toBody(toDraft(rules))).toEqual(rules);
    expect(toDraft(NO_RULES)).toEqual(EMPTY_DRAFT);
    expect(toBody(EMPTY_DRAFT)).toEqual(NO_RULES);
  });

  test.each([
    ["-14,5", -14.5],
    ["\u221214.5", -14.5],
    [" -14.5 ", -14.5],
    ["\u2013.5", -0.5],
    ["-1.", -1],
    ["+2", 2],
    ["", null],
    ["  ", null],
  ])("%j is the true peak %s", (text, value) => {
    expect(toBody(draftWith({ true_peak_max: text })).true_peak_max).toBe(value);
  });

  test.each(["loud", "-1e0", "--1", "1,000.5", "0x3", "-"])("%j is refused", (text) => {
    expect(findDraftErrors(draftWith({ true_peak_max: text }))).toEqual([
      { path: "true_peak_max", message: "Enter a number from \u221230 to 6, with at most one decimal place." },
    ]);
  });

  test("a target needs a tolerance, and both their range", () => {
    const errorsOf = (target: string, tolerance: string) => findDraftErrors(draftWith({ loudness: { target, tolerance } })).map(({ path }) => path);
    expect(errorsOf("-14", "")).toEqual(["loudness.tolerance"]);
    expect(errorsOf("", "1")).toEqual(["loudness.target"]);
    expect(errorsOf("14", "21")).toEqual(["loudness.target", "loudness.tolerance"]);
    expect(errorsOf("-14.05", "0.25")).toEqual(["loudness.target", "loudness.tolerance"]);
    expect(errorsOf("-14,1", "0")).toEqual([]);
  });

  test("an unknown token is named", () => {
    expect(findDraftErrors(draftWith({ name_pattern: "{artist}_{title}" }))).toEqual([
      { path: "name_pattern", message: expect.stringMatching(/^must not contain \{artist\}/) },
    ]);
  });

  test("the form is unchanged when it would save the same", () => {
    const stored = toDraft(PRESETS[0]!.rules);
    expect(isSameDraft({ ...stored, true_peak_max: "-1.0" }, stored)).toBe(true);
    expect(isSameDraft({ ...stored, true_peak_max: "-1.1" }, stored)).toBe(false);
    const { sample_rates } = stored;
    const without = toggleValue(sample_rates, 48_000, false, [44_100, 48_000, 88_200, 96_000]);
    expect(without).toEqual([44_100, 88_200, 96_000]);
    expect(toggleValue(without, 48_000, true, [44_100, 48_000, 88_200, 96_000])).toEqual(sample_rates);
  });

  test("values that are offered nowhere, but stored, can be kept or removed", () => {
    expect(optionsWith([44_100, 48_000], [48_000, 32_000])).toEqual([32_000, 44_100, 48_000]);
    expect(optionsWith(["wav", "mp3"], ["mp3", "dsd"])).toEqual(["wav", "mp3", "dsd"]);
    expect(toDraft({ ...NO_RULES, formats: ["dsd", "wav"] }).formats).toEqual(["wav", "dsd"]);
  });
});

describe("rules for reading", () => {
  test("only rules that are set have a line", () => {
    expect(describeRules(NO_RULES)).toEqual([]);
    const rules = { ...PRESETS[0]!.rules, channels: [1, 2, 6, 5], formats: ["opus", "wav"], name_pattern: "{title}" };
    expect(describeRules(rules).map(({ label, text }) => `${label}: ${text}`)).toEqual([
      "Loudness: \u221214 \u00b1 1 LUFS",
      "True peak: at most \u22121\u00a0dBTP",
      "Sample rate: 44.1 kHz, 48 kHz, 88.2 kHz or 96 kHz",
      "Bit depth: 24 bit",
      "Channels: Mono, Stereo, 5.1 surround or 5 channels",
      "Format: Opus or WAV",
      "File name: {title}",
    ]);
    expect(formatChannelCount(12)).toBe("7.1.4 surround");
  });

  test("an example fulfills the pattern, and unknown tokens stay", () => {
    expect(exampleName(" {project}_{title}_v{version}_{date}-{number} ")).toBe("Night Drive_Intro_v3_2026-03-12-07");
    expect(exampleName("*_mix?")).toBe("master_mixa");
    expect(exampleName("{artist}")).toBe("{artist}");
    expect(exampleName(" ")).toBeNull();
  });
});
