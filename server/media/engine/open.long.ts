import { expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { expectedTone, readTone, type Tone, TONE_ENCODINGS } from "../testing/tones.ts";

const RATES = [8_000, 32_000, 44_100, 48_000, 96_000];
const HERTZ = [1_000, 997, 440, 2_000];
const RECIPE_NAMES = Object.keys(TONE_ENCODINGS) as (keyof typeof TONE_ENCODINGS)[];

/** Every level of whole decibels from 0 to -30 at 1 kHz and 48 kHz, and levels, rates and frequencies in turn for the rest. */
function allTones(): Tone[] {
  const lineUp = RECIPE_NAMES.flatMap((recipe) =>
    Array.from({ length: 31 }, (_, index): Tone => ({ recipe, hertz: 1_000, level: -index, rate: 48_000, channels: 1 + (index % 2) })),
  );
  const others = RECIPE_NAMES.flatMap((recipe, offset) =>
    RATES.flatMap((rate) =>
      HERTZ.flatMap((hertz) =>
        [0, 1, 2].map((index): Tone => ({ recipe, hertz, level: -((7 * index + 11 * offset + rate / 1_000) % 60), rate, channels: 1 + (index % 2) })),
      ),
    ),
  );
  return [...lineUp, ...others];
}

test("tones of all levels, rates and formats are what they are", () => {
  using folder = createTestFolder();
  const tones = allTones();
  expect(tones.length).toBeGreaterThan(690);
  const wrong = tones.filter((tone) => JSON.stringify(readTone(folder.resolve("tone"), tone)) !== JSON.stringify(expectedTone(tone)));
  expect(wrong).toEqual([]);
});
