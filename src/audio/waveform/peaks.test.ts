import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extremesAt, waveToPeaks, parsePeaks } from "./peaks.ts";

/** Builds a `.dat` file as the format's documentation describes it. */
function dat(points: readonly (readonly (readonly [number, number])[])[], { version = 2, flags = 1, wide = false } = {}): ArrayBuffer {
  const channels = points[0]?.length ?? 1;
  const size = wide ? 2 : 1;
  const bytes = new ArrayBuffer(24 + points.length * channels * 2 * size);
  const view = new DataView(bytes);
  [version, flags, 44_100, 64].forEach((value, index) => view.setInt32(index * 4, value, true));
  view.setUint32(16, points.length, true);
  view.setInt32(20, channels, true);
  points.flat(2).forEach((value, index) => (wide ? view.setInt16(24 + index * 2, value, true) : view.setInt8(24 + index, value)));
  return bytes;
}

describe("a waveform data file", () => {
  test("contains lows and highs of a mono file", () => {
    expect(parsePeaks(dat([[[-128, 127]], [[-64, 32]], [[10, 20]]]))).toEqual({
      lows: new Float32Array([-1, -0.5, 10 / 128]),
      highs: new Float32Array([127 / 128, 0.25, 20 / 128]),
    });
  });
  test("contains the lowest and highest of both channels of a stereo file", () => {
    expect(
      parsePeaks(
        dat([
          [
            [-64, 0],
            [0, 64],
          ],
        ]),
      ),
    ).toEqual({ lows: new Float32Array([-0.5]), highs: new Float32Array([0.5]) });
  });
  test("can have 16-bit values", () => {
    expect(parsePeaks(dat([[[-32_768, 16_384]]], { flags: 0, wide: true }))).toEqual({ lows: new Float32Array([-1]), highs: new Float32Array([0.5]) });
  });
  test.each([
    ["of another version", dat([[[0, 0]]], { version: 1 })],
    ["without a point", dat([])],
    ["cut short", dat([[[0, 0]], [[0, 0]]]).slice(0, 26)],
    ["without a whole header", new ArrayBuffer(12)],
    ["without any bytes", new ArrayBuffer(0)],
    ["that is 16 bit but half as long", dat([[[0, 0]]], { flags: 0 })],
  ])("a file %s is rejected", (_, bytes) => expect(parsePeaks(bytes)).toBeNull());
});

test("waveToPeaks mirrors values to both sides, and NaN counts as silence", () => {
  const { lows, highs } = waveToPeaks([0.5, 2, Number.NaN, 0]);
  expect([...highs]).toEqual([0.5, 1, 0, 0]);
  expect([...lows].map(Math.abs)).toEqual([0.5, 1, 0, 0]);
  expect(lows[0]).toBe(-0.5);
});

describe("columns", () => {
  test("contain the extremes of the points under them", () => {
    const lows = [-0.1, -0.9, -0.2, -0.3];
    const highs = [0.1, 0.2, 0.8, 0.3];
    expect(extremesAt(lows, highs, 0, 2)).toEqual([-0.9, 0.2]);
    expect(extremesAt(lows, highs, 1, 2)).toEqual([-0.3, 0.8]);
  });
  test("repeat points when there are more columns than points", () => {
    expect([0, 1, 2, 3].map((column) => extremesAt([-1, 0], [1, 0.5], column, 4)[1])).toEqual([1, 1, 0.5, 0.5]);
  });
  test("are silent without points", () => expect(extremesAt([], [], 0, 10)).toEqual([0, 0]));
  test("lose no peak between them", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 }), fc.integer({ min: 1, max: 400 }), (highs, columns) => {
        const drawn = Array.from({ length: columns }, (_, column) =>
          extremesAt(
            highs.map((value) => -value),
            highs,
            column,
            columns,
          ),
        );
        expect(Math.max(...drawn.map(([, high]) => high))).toBe(Math.max(...highs));
        for (const [, high] of drawn) expect(highs).toContain(high);
      }),
    );
  });
});
