/** Tests that a message of a media process that a hostile file has taken over names no file but its own results, and no type that a browser would run. */
import { describe, expect, test } from "vitest";
import { parseChildMessage } from "./message-schema.ts";

const step = (name: string, value: unknown) => ({ type: "step", done: { step: name, value } });
const copy = { file: "copy.m4a", method: "encode", mime: "audio/mp4", bytes: 10 };
const picture = { file: "thumbnail.webp", mime: "image/webp", width: 1, height: 1 };
const level = { file: "peaks-256.dat", samplesPerPixel: 256, pixels: 1, bytes: 2 };
const peaks = { sampleRate: 8_000, channels: 1, levels: [level], wave: [0.5], shortWave: [0.5] };
const probe = { kind: "document", type: "pdf", bytes: 1, audio: null, video: null, image: null, annotations: "{}", notes: [] };

test("accepts what the steps send", () => {
  for (const message of [
    { type: "progress", progress: { phase: "copy", share: 0.5 }, rss: null },
    step("copy", copy),
    step("copy", null),
    step("pictures", { thumbnail: picture, stills: null }),
    step("peaks", peaks),
    step("probe", probe),
    { type: "failed", failure: { code: "damaged", text: "The file is damaged.", detail: "" } },
    { type: "finished" },
  ])
    expect(parseChildMessage(message)).toEqual({ message });
});

describe("refuses", () => {
  test.each(["../../../master.key", "/etc/passwd", "copy.m4a/../../x", "copy.m4a\0", "talkback.db", "COPY.m4a", ""])("the file name %j", (file) => {
    for (const message of [
      step("copy", { ...copy, file }),
      step("pictures", { thumbnail: { ...picture, file }, stills: null }),
      step("peaks", { ...peaks, levels: [{ ...level, file }] }),
    ])
      expect(parseChildMessage(message)).toHaveProperty("fault");
  });
  test.each([
    ["a type that a browser runs", step("copy", { ...copy, mime: "text/html" })],
    ["a content type with a line break", step("probe", { ...probe, type: "png\r\nset-cookie" })],
    ["annotations that are no JSON", step("probe", { ...probe, annotations: "{" })],
    ["an endless wave", step("peaks", { ...peaks, wave: Array.from({ length: 100_000 }, () => 1) })],
    ["a long text", { type: "failed", failure: { code: "damaged", text: "x".repeat(100_000), detail: "" } }],
    ["an unknown failure", { type: "failed", failure: { code: "constructor", text: "", detail: "" } }],
    ["progress beyond the end", { type: "progress", progress: { phase: "copy", share: 2 }, rss: null }],
    ["an unknown message", { type: "exit" }],
    ["no message", null],
  ])("%s", (_name, message) => {
    expect(parseChildMessage(message)).toHaveProperty("fault");
  });
});
