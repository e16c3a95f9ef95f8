import { expect, test } from "vitest";
import type { AudioFileInfo } from "../../../../contract/records.ts";
import { bare } from "./info.fixture.ts";
import { warningsOf } from "./warnings.ts";

const measured = (loudness: unknown) => warningsOf({ ...bare.file_info, loudness } as AudioFileInfo);

test("what is known is explained, what is not stands in the service's words alone", () => {
  expect(
    measured({
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
  expect([measured({ warnings: [] }), measured({ integrated: -14 }), measured(undefined), measured("loud")]).toEqual([[], null, null, null]);
});

test("odd records are passed over", () =>
  expect(measured({ warnings: [null, 3, {}, { code: "constructor", text: "Odd." }] })).toEqual([{ code: "constructor", text: "Odd.", help: null }]));
