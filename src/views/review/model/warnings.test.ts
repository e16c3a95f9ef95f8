import { expect, test } from "vitest";
import type { AudioFileInfo } from "../../../../contract/records.ts";
import { documentedInfo } from "./info.fixture.ts";
import { warningsOf } from "./warnings.ts";

const warningsFor = (loudness: unknown) => warningsOf({ ...documentedInfo.file_info, loudness } as AudioFileInfo);

test("what is known is explained, what is not stands in the service's words alone", () => {
  expect(
    warningsFor({
      warnings: [
        { code: "clipping", text: "Clipped in 3 places." },
        { code: "hum", text: "50 Hz hum." },
      ],
    }),
  ).toEqual([
    { code: "clipping", text: "Clipped in 3 places.", help: expect.stringContaining("limiter") },
    { code: "hum", text: "50 Hz hum.", help: null },
  ]);
});

test("measured without a fault is another thing than not measured", () => {
  expect([warningsFor({ warnings: [] }), warningsFor({ integrated: -14 }), warningsFor(undefined), warningsFor("loud")]).toEqual([[], null, null, null]);
});

test("odd records are passed over", () =>
  expect(warningsFor({ warnings: [null, 3, {}, { code: "constructor", text: "Odd." }] })).toEqual([{ code: "constructor", text: "Odd.", help: null }]));
