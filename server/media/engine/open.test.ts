import { expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { expectedTone, readTone, type Tone } from "../testing/tones.ts";

test("a tone of 1 kHz at 48 kHz, whose bytes repeat like the packets of a transport stream, is what it is", () => {
  using folder = createTestFolder();
  // -18 dBFS is the level of the EBU's line-up tone. FFmpeg's own detection takes all of these for a transport stream.
  const levels = { wav16: [-2, -3, -5], wav32f: [-10, -18, -25] } as const;
  for (const recipe of ["wav16", "wav32f"] as const)
    for (const level of levels[recipe])
      for (const channels of [1, 2]) {
        const tone: Tone = { recipe, hertz: 1_000, level, rate: 48_000, channels };
        expect(readTone(folder.resolve("tone"), tone), JSON.stringify(tone)).toEqual(expectedTone(tone));
      }
});
