import { expect, test } from "vitest";
import { MAX_PLACES, PlaceCollector } from "./places.ts";

const collect = (places: readonly (readonly [from: number, to: number])[]) => {
  const collector = new PlaceCollector();
  for (const [from, to] of places) collector.add(from, to);
  return collector.finish();
};

test("places close to each other are one, in order, whatever order they arrive in", () => {
  expect(collect([])).toEqual([]);
  expect(
    collect([
      [5, 5.001],
      [1, 1.002],
      [5.1, 5.2],
      [1.2, 1.2004],
    ]),
  ).toEqual([
    { from: 1, to: 1.2 },
    { from: 5, to: 5.2 },
  ]);
});

test("however many there are, no more than the limit is kept, and they cover all of them", () => {
  const places = collect(Array.from({ length: 5_000 }, (_, index) => [index, index + 0.01] as const));
  expect(places.length).toBeLessThanOrEqual(MAX_PLACES);
  expect(places[0]!.from).toBe(0);
  expect(places.at(-1)!.to).toBe(4_999.01);
});
