import { expect, test } from "vitest";
import type { AudioFileInfo } from "../../../../contract/records.ts";
import { documentedInfo, extendedInfo } from "../file-info.fixture.ts";
import { audioFacts, formatBitrate, formatChannels, formatEncoding, formatSigned, loudnessFacts, warningsOf } from "./audio-facts.ts";

const factsByLabel = (info: unknown) => Object.fromEntries(audioFacts(info as AudioFileInfo).map(({ label, value }) => [label, value]));

test("every documented member is formatted", () => {
  expect(factsByLabel({ ...documentedInfo.file_info, bpm: 127.97, key: "A minor" })).toEqual({
    Length: "3:42.1",
    Format: "PCM",
    "Bit rate": "2,116.8 kbit/s",
    "Bit depth": "24 bit",
    "Sample rate": "44.1 kHz",
    Channels: "Stereo",
    "Samples per channel": "9,794,610",
    Tempo: "128 bpm",
    Key: "A minor",
  });
});

test("an unknown value shows as unknown, never as zero", () => {
  const empty = { audio_encoding: null, bitrate: "", bits_per_sample: 0, duration: 0, number_of_chanels: 0, number_of_samples: 0, samplerate: 0 };
  const facts = factsByLabel({ ...documentedInfo.file_info, ...empty });
  expect(facts["Bit depth"]).toBe("—");
  delete facts["Bit depth"];
  expect(new Set(Object.values(facts))).toEqual(new Set(["Unknown"]));
});

test("loudness shows only when it was measured, without what the panel of tags shows", () => {
  const info = { ...extendedInfo.file_info, loudness: { integrated: -14.2, truePeak: -1, range: 6.4, samplePeak: -1.2 } };
  expect(loudnessFacts(info as AudioFileInfo)).toEqual([
    { label: "Loudness range", value: "6.4 LU" },
    { label: "Sample peak", value: "\u22121.2 dBFS" },
  ]);
  expect(loudnessFacts(documentedInfo.file_info as AudioFileInfo)).toEqual([]);
});

test("tempo and key are left out where the panel of tags shows the same", () => {
  const info = { ...documentedInfo.file_info, bpm: 128, key: "A minor" } as AudioFileInfo;
  const labels = (tags: object, changes = {}) =>
    audioFacts({ ...info, ...changes }, { ...documentedInfo.ai_tags, ...tags }).flatMap(({ label }) => (label === "Tempo" || label === "Key" ? label : []));
  expect(labels({ bpm: 128, key: ["A minor", "C major"] })).toEqual([]);
  expect(labels({ bpm: 0, key: [] })).toEqual(["Tempo", "Key"]);
  expect(labels({ bpm: 64, key: ["E minor"] }, { corrected: { bpm: true, key: true } })).toEqual([]);
});

test("a corrected value is marked as corrected", () => {
  expect(factsByLabel({ ...documentedInfo.file_info, bpm: 128, key: "A minor", corrected: { bpm: true, key: false } })).toMatchObject({
    Tempo: "128 bpm (corrected)",
    Key: "A minor",
  });
});

test("decoder notes show the service's text", () => {
  expect(factsByLabel({ ...extendedInfo.file_info, notes: ["The file ends early.", "1 damaged part was skipped."] })).toMatchObject({
    "Decoder notes": "The file ends early. 1 damaged part was skipped.",
  });
  expect(factsByLabel({ ...extendedInfo.file_info, notes: "odd" })).not.toHaveProperty("Decoder notes");
});

test.each([
  ["pcm_s16le", "PCM"],
  ["pcm_f32le", "PCM, floating point"],
  ["FLAC", "FLAC"],
  ["alac", "Apple Lossless"],
  ["pcm_mulaw", "µ-law"],
  ["adpcm_ms", "ADPCM"],
  ["something new", "something new"],
])("encoding %s is %s", (encoding, expected) => expect(formatEncoding(encoding)).toBe(expected));

test.each([
  ["320000", "320 kbit/s"],
  ["127999", "128 kbit/s"],
  ["320k", "320k"],
  ["128", "128"],
])("bit rate %s is %s", (bitrate, expected) => expect(formatBitrate(bitrate)).toBe(expected));

test.each([
  [1, "Mono"],
  [2, "Stereo"],
  [6, "5.1 surround"],
  [4, "4 channels"],
])("%i channels are %s", (count, expected) => expect(formatChannels(count)).toBe(expected));

test("negative numbers have a true minus sign", () => expect([formatSigned(-14.23), formatSigned(3)]).toEqual(["\u221214.2", "3"]));

const warningsFor = (loudness: unknown) => warningsOf({ ...documentedInfo.file_info, loudness } as AudioFileInfo);

test("a known warning is explained, an unknown one shows only the service's text", () => {
  expect(
    warningsFor({
      warnings: [
        { code: "clipping", text: "Clipped in 3 places.", places: [{ from: 1, to: 1.5 }, { from: 9 }, { from: 3, to: 2 }, null] },
        { code: "hum", text: "50 Hz hum." },
      ],
    }),
  ).toEqual([
    { code: "clipping", text: "Clipped in 3 places.", help: expect.stringContaining("limiter"), places: [{ from: 1, to: 1.5 }] },
    { code: "hum", text: "50 Hz hum.", help: null, places: [] },
  ]);
});

test("measured without warnings differs from not measured", () => {
  expect([warningsFor({ warnings: [] }), warningsFor({ integrated: -14 }), warningsFor(undefined), warningsFor("loud")]).toEqual([[], null, null, null]);
});

test("malformed warnings are ignored", () =>
  expect(warningsFor({ warnings: [null, 3, {}, { code: "constructor", text: "Odd." }] })).toEqual([
    { code: "constructor", text: "Odd.", help: null, places: [] },
  ]));
