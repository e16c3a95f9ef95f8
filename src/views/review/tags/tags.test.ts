import { expect, test } from "vitest";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { documentedInfo, extendedInfo } from "../file-info.fixture.ts";
import { describeKey, describeTags, describeTempo, parseTempo, tempoOctaves } from "./tags.ts";

const asOwner = { isProcessing: false, isOwner: true };
const asMember = { isProcessing: false, isOwner: false };
const withModel = (state: string, lists: Partial<AiTags> = {}): AiTags => ({ ...documentedInfo.ai_tags, ...lists, model: { state } });

test("tags are sorted by score, between 0 and 1, in a list for each category", () => {
  const genres: AiTags["genres"] = [
    ["House", 0.4],
    ["Techno", 1.2],
  ];
  expect(describeTags(withModel("labeled", { genres }), asMember)).toEqual([
    {
      name: "Genres",
      tags: [
        { label: "Techno", score: 1 },
        { label: "House", score: 0.4 },
      ],
      emptyReason: null,
    },
    { name: "Moods", tags: [], emptyReason: "No confident matches." },
    { name: "Instruments", tags: [], emptyReason: "No confident matches." },
  ]);
});

test.each(["no-model", "not-installed"])("without a model (%s), one line tells an owner how to install it, and nobody else", (state) => {
  expect(describeTags(withModel(state), asOwner)).toBe(
    "Genres, moods and instruments need a tagging model. To install it, run npm run admin -- install-model on the server.",
  );
  expect(describeTags(withModel(state), asMember)).toBe("Genres, moods and instruments aren't analyzed on this server.");
});

test.each([
  ["failed", "The tagging model failed."],
  ["labeled", "No genres, moods or instruments detected with confidence."],
])("one line says why there are no tags: %s", (state, line) => {
  for (const reader of [asOwner, asMember]) expect(describeTags(withModel(state), reader)).toBe(line);
  expect(describeTags(documentedInfo.ai_tags, asOwner)).toBe("No data available.");
});

const audio = (overrides: object = {}) => ({ ...documentedInfo.file_info, ...overrides }) as AudioFileInfo;
const tempo = (tags: AiTags, processing = false, overrides: object = {}) => describeTempo(tags, audio(overrides), processing);
const key = (tags: AiTags, processing = false, overrides: object = {}) => describeKey(tags, audio(overrides), processing);

test("during processing nothing shows as missing", () => {
  expect(describeTags(documentedInfo.ai_tags, { ...asOwner, isProcessing: true })).toBe("Genres, moods and instruments are available after processing.");
  for (const measured of [tempo(documentedInfo.ai_tags, true), key(documentedInfo.ai_tags, true)])
    expect(measured).toMatchObject({ value: null, note: "Available after processing" });
});

test("detected tempo and key show their confidence", () => {
  expect(tempo({ ...extendedInfo.ai_tags, bpm: 127.97 })).toMatchObject({ value: "128", unit: "bpm", note: "90% confidence", corrected: null });
  expect(key(extendedInfo.ai_tags)).toMatchObject({ value: "A minor", unit: null, note: "70% confidence · possibly C major", corrected: null });
});

test("a value with a confidence below 60% is marked as unsure", () => {
  const isUnsure = (confidence: number) => tempo({ ...extendedInfo.ai_tags, bpm: 128, bpm_confidence: confidence }).isUnsure;
  expect([isUnsure(0.6), isUnsure(0.59)]).toEqual([false, true]);
});

test("a low confidence shows as not detected, a service without confidence as unknown", () => {
  const unsure = { ...documentedInfo.ai_tags, bpm_confidence: 0.1, key_confidence: 0 };
  expect([tempo(unsure).value, key(unsure).value]).toEqual(["Not detected", "Not detected"]);
  expect(tempo(unsure).note).toBe("No steady beat");
  expect([tempo(documentedInfo.ai_tags).value, key(documentedInfo.ai_tags).value]).toEqual(["Unknown", "Unknown"]);
});

test("what the analysis is not sure of shows as its best candidate, marked as unsure, with the others", () => {
  const unsure = {
    ...documentedInfo.ai_tags,
    bpm_confidence: 0.1,
    key_confidence: 0.15,
    bpm_candidates: [120.5, 60.2],
    key_candidates: ["A minor", "C major"],
  };
  expect(key(unsure)).toEqual({ value: "A minor", isUnsure: true, unit: null, note: "or C major · 15% confidence", corrected: null });
  expect(tempo(unsure)).toEqual({ value: "120.5", isUnsure: true, unit: "bpm", note: "or 60.2 · 10% confidence", corrected: null });
  expect(key({ ...unsure, key_candidates: ["A minor"] }).note).toBe("15% confidence");
  expect(key(unsure, true)).toMatchObject({ value: null, note: "Available after processing" });
  expect(key({ ...unsure, key: ["E minor"] })).toMatchObject({ value: "E minor", note: "15% confidence" });
});

test("a corrected value shows beside the detected one", () => {
  const corrected = { bpm: 64, key: "C major", corrected: { bpm: true, key: true } };
  expect(tempo(extendedInfo.ai_tags, false, corrected)).toEqual({ value: "64", unit: "bpm", note: null, corrected: "Detected: 128 bpm" });
  expect(key(extendedInfo.ai_tags, true, corrected)).toMatchObject({ value: "C major", corrected: "Detected: A minor" });
  expect(tempo(documentedInfo.ai_tags, false, corrected).corrected).toBe("Nothing detected");
});

test.each([
  ["128", 128],
  [" 127,955 ", 127.96],
  ["20", 20],
  ["19.9", null],
  ["401", null],
  ["", null],
  ["1e2", null],
  ["-90", null],
])("%j is parsed as tempo %s", (text, bpm) => expect(parseTempo(text)).toBe(bpm));

test("half and double tempo are available within the limits", () => {
  expect([tempoOctaves(128), tempoOctaves(30), tempoOctaves(250)]).toEqual([[64, 256], [60], [125]]);
});
