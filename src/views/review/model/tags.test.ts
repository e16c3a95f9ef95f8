import { expect, test } from "vitest";
import { bare, full } from "./info.fixture.ts";
import { keyOf, tagLists, tempoOf } from "./tags.ts";

test("descending, within 0 and 1, each list by itself", () => {
  const [genres, moods] = tagLists(
    {
      ...bare.ai_tags,
      genres: [
        ["House", 0.4],
        ["Techno", 1.2],
      ],
    },
    false,
  );
  expect(genres).toEqual({
    name: "Genres",
    tags: [
      { label: "Techno", score: 1 },
      { label: "House", score: 0.4 },
    ],
    why: null,
  });
  expect(moods?.why).toBe("The service tells none.");
});

test.each([
  ["no-model", "No tagging model is installed."],
  ["not-installed", "A tagging model is chosen, but not installed."],
  ["failed", "The tagging model stopped with a fault."],
  ["labeled", "Nothing was found with enough certainty."],
])("an empty list says why: %s", (state, why) => {
  for (const list of tagLists({ ...bare.ai_tags, model: { state } }, false)) expect(list.why).toBe(why);
});

test("while processing goes on nothing is missing yet", () => {
  expect(tagLists(bare.ai_tags, true)[0]?.why).toBe("Comes with processing");
  expect([tempoOf(bare.ai_tags, true), keyOf(bare.ai_tags, true)]).toEqual([
    { value: null, note: "Comes with processing" },
    { value: null, note: "Comes with processing" },
  ]);
});

test("tempo and key as they were found", () => {
  expect(tempoOf({ ...full.ai_tags, bpm: 127.97 }, false)).toEqual({ value: "128", note: "bpm" });
  expect(keyOf(full.ai_tags, false)).toEqual({ value: "A minor", note: "or C major" });
});

test("below the confidence it says unsure; a service that tells nothing is not called unsure", () => {
  const unsure = { ...bare.ai_tags, bpm_confidence: 0.1, key_confidence: 0 };
  expect([tempoOf(unsure, false).value, keyOf(unsure, false).value]).toEqual(["Unsure", "Unsure"]);
  expect([tempoOf(bare.ai_tags, false).value, keyOf(bare.ai_tags, false).value]).toEqual(["Unknown", "Unknown"]);
});
