import { expect, test } from "vitest";
import { inSight, MARKER, placed, type Placeable } from "./placing.ts";

const point = (at: number | null, end: number | null = null): Placeable => ({ key: `${at}-${end}`, at, end });

test("a point stands over its moment, a range over its stretch with its marker at the beginning", () => {
  const { stacks, bars } = placed([point(2_000), point(5_000, 7_500), point(null)], 100, 12);
  expect(stacks.map(({ x }) => x)).toEqual([200, 500 + MARKER / 2]);
  expect(bars).toMatchObject([{ x: 500, width: 250 }]);
});

test("a range that is shorter than its marker can still be pressed; short ones lie on long ones", () => {
  const { bars } = placed([point(0, 60), point(0, 9_000)], 10, 12);
  expect(bars.map(({ width }) => width)).toEqual([90, MARKER]);
});

test("at the ends of the sound markers stand inside; where its length is not known, at the beginning alone", () => {
  const xs = (seconds: number) => placed([point(0), point(10_000)], 100, seconds).stacks.map(({ x }) => x);
  expect(xs(10)).toEqual([MARKER / 2, 1_000 - MARKER / 2]);
  expect(xs(0)).toEqual([MARKER / 2, 1_000]);
});

test("nothing without a length", () => expect(placed([point(0)], 0, 12)).toEqual({ stacks: [], bars: [] }));

test("in sight is what reaches into it", () => {
  const all = placed([point(0), point(1_000, 9_000), point(10_000)], 100, 12);
  const { stacks, bars } = inSight(all, 300, 500);
  expect([stacks.length, bars.length]).toEqual([0, 1]);
  expect(inSight(all, 5, 300).stacks).toHaveLength(2);
});

test("any comments at any zoom: each is in one stack, in time order, stacks never touch, and looking closer never joins what stood apart", () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round += 1) {
    const notes = Array.from({ length: 1 + random(40) }, (_, key) => {
      const at = random(60_000);
      return { key: String(key), at, end: random(3) === 0 ? at + 1 + random(8_000) : null };
    });
    const scale = 1 + random(400);
    const { stacks, bars } = placed(notes, scale, 60);
    expect(
      stacks
        .flatMap((one) => one.notes)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(notes.map(({ key }) => key).toSorted());
    for (let index = 1; index < stacks.length; index += 1) expect(stacks[index]!.x - stacks[index - 1]!.x).toBeGreaterThanOrEqual(MARKER);
    expect(bars).toHaveLength(notes.filter(({ end }) => end !== null).length);
    // Points alone: a range's marker stands beside its beginning.
    const points = notes.filter(({ end }) => end === null);
    expect(placed(points, scale * 2, 60).stacks.length).toBeGreaterThanOrEqual(placed(points, scale, 60).stacks.length);
  }
});
