import { expect, test } from "vitest";
import { visibleMarkers, MARKER_SIZE_PX, layOutMarkers, type TimedItem } from "./marker-layout.ts";

const point = (startMs: number | null, endMs: number | null = null): TimedItem => ({ key: `${startMs}-${endMs}`, startMs, endMs });

test("a point's marker is at its time, a range's marker at the start of its bar", () => {
  const { stacks, bars } = layOutMarkers([point(2_000), point(5_000, 7_500), point(null)], 100, 12);
  expect(stacks.map(({ x }) => x)).toEqual([200, 500 + MARKER_SIZE_PX / 2]);
  expect(bars).toMatchObject([{ x: 500, width: 250 }]);
});

test("a range is at least as wide as its marker, and short ranges are above long ones", () => {
  const { bars } = layOutMarkers([point(0, 60), point(0, 9_000)], 10, 12);
  expect(bars.map(({ width }) => width)).toEqual([90, MARKER_SIZE_PX]);
});

test("markers stay inside at the ends of the track; with an unknown duration only at the start", () => {
  const markerPositions = (seconds: number) => layOutMarkers([point(0), point(10_000)], 100, seconds).stacks.map(({ x }) => x);
  expect(markerPositions(10)).toEqual([MARKER_SIZE_PX / 2, 1_000 - MARKER_SIZE_PX / 2]);
  expect(markerPositions(0)).toEqual([MARKER_SIZE_PX / 2, 1_000]);
});

test("nothing is laid out without a width", () => expect(layOutMarkers([point(0)], 0, 12)).toEqual({ stacks: [], bars: [] }));

test("everything that overlaps the view is visible", () => {
  const layout = layOutMarkers([point(0), point(1_000, 9_000), point(10_000)], 100, 12);
  const { stacks, bars } = visibleMarkers(layout, 300, 500);
  expect([stacks.length, bars.length]).toEqual([0, 1]);
  expect(visibleMarkers(layout, 5, 300).stacks).toHaveLength(2);
});

test("comments at any zoom are in one stack each, in time order; stacks never overlap, and zooming in never joins them", () => {
  let seed = 11;
  const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (let round = 0; round < 200; round += 1) {
    const items = Array.from({ length: 1 + random(40) }, (_, key) => {
      const startMs = random(60_000);
      return { key: String(key), startMs, endMs: random(3) === 0 ? startMs + 1 + random(8_000) : null };
    });
    const scale = 1 + random(400);
    const { stacks, bars } = layOutMarkers(items, scale, 60);
    expect(
      stacks
        .flatMap((stack) => stack.items)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(items.map(({ key }) => key).toSorted());
    for (let index = 1; index < stacks.length; index += 1) expect(stacks[index]!.x - stacks[index - 1]!.x).toBeGreaterThanOrEqual(MARKER_SIZE_PX);
    expect(bars).toHaveLength(items.filter(({ endMs }) => endMs !== null).length);
    // Checks only points, because the marker of a range is offset from its start.
    const points = items.filter(({ endMs }) => endMs === null);
    expect(layOutMarkers(points, scale * 2, 60).stacks.length).toBeGreaterThanOrEqual(layOutMarkers(points, scale, 60).stacks.length);
  }
});
