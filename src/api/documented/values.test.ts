import { expect, test } from "vitest";
import { toTagScores, toWave } from "./values.ts";

test.each<[string, unknown, number[]]>([
  ["amplitudes", [0, 0.25, 1], [0, 0.25, 1]],
  ["none", undefined, []],
  ["null", null, []],
  ["an object", { 0: 1 }, []],
  ["two values", [1, 0.5], [1, 0.5]],
  ["samples with a sign", [-1, 0.5, -0.25], [1, 0.5, 0.25]],
  ["values that are no numbers", [null, Number.NaN, "0.5", {}, true, 1], [0, 0, 0.5, 0, 0, 1]],
  ["samples beyond 1", [0.5, 1.25, -1.5], [0.5, 1, 1]],
  ["percent", [0, 50, 100], [0, 0.5, 1]],
  ["8 bits with a sign", [-128, 64, 127], [1, 0.5, 127 / 128]],
  ["8 bits without a sign", [0, 51, 255], [0, 0.2, 1]],
  ["16 bits", [-32_768, 16_384, 0], [1, 0.5, 0]],
  ["16 bits without a sign", [65_535, 0], [1, 0]],
  ["an unknown scale", [0, 4e12, 1e12], [0, 1, 0.25]],
  ["small integers", [1, 2, 4], [0.25, 0.5, 1]],
])("wave: %s", (_, wave, expected) => expect(toWave(wave)).toEqual(expected));

test("a wave of 500,000 values keeps its loudest ones", () => {
  const values = Array.from({ length: 500_000 }, (_, index) => (index === 123_456 ? -1 : 0.1));
  const wave = toWave(values);
  expect(wave.length).toBe(262_144);
  expect(wave.indexOf(1) / wave.length).toBeCloseTo(123_456 / 500_000, 4);
  expect(wave.filter((value) => value === 0.1)).toHaveLength(262_143);
});

test.each<[unknown, [string, number][]]>([
  [
    [
      ["low", 0.2],
      ["high", 0.9],
    ],
    [
      ["high", 0.9],
      ["low", 0.2],
    ],
  ],
  [
    [
      ["over", 1.2],
      ["under", -0.5],
    ],
    [
      ["over", 1],
      ["under", 0],
    ],
  ],
  [
    [
      ["percent", 87],
      ["one", 1],
    ],
    [
      ["percent", 0.87],
      ["one", 0.01],
    ],
  ],
  [
    [
      ["low", 0.2],
      ["beyond", 7],
      ["high", 0.9],
    ],
    [
      ["beyond", 1],
      ["high", 0.9],
      ["low", 0.2],
    ],
  ],
  [[["text", "0.5"], ["no score"], [null, 0.4], "Rock", { label: "x" }, [], null], [["text", 0.5]]],
  [null, []],
  ["Rock", []],
])("tags %j", (genres, expected) => expect(toTagScores(genres)).toEqual(expected));
