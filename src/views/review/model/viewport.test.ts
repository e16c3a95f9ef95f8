import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  centered,
  edged,
  following,
  isInside,
  isTouched,
  isWhole,
  leastSpan,
  looking,
  moved,
  pinched,
  pixelsPerSecond,
  resized,
  revealing,
  secondsAt,
  spanOf,
  whole,
  xOf,
  zoomed,
  type Viewport,
} from "./viewport.ts";

const HOUR = 3_600;
const seconds = fc.double({ min: -100, max: 30_000, noNaN: true });
const lengths = fc.oneof(fc.constantFrom(0, 0.01, 0.5, 222.1, HOUR, 7 * HOUR), fc.double({ min: 0, max: 30_000, noNaN: true }));
const widths = fc.integer({ min: 1, max: 4_000 });
const views = fc
  .tuple(seconds, fc.double({ min: 0, max: 30_000, noNaN: true }), lengths, widths)
  .map(([from, span, duration, width]) => ({ view: looking(from, span, duration, width), duration }));

function expectSound(view: Viewport, duration: number) {
  expect(view.from).toBeGreaterThanOrEqual(0);
  expect(view.to).toBeLessThanOrEqual(duration + 1e-6);
  expect(spanOf(view)).toBeGreaterThanOrEqual(leastSpan(duration, view.width) - 1e-6);
}

test("whatever is done, the view stays within the sound and no closer than its samples", () => {
  fc.assert(
    fc.property(views, seconds, fc.double({ noNaN: false }), seconds, ({ view, duration }, a, factor, b) => {
      for (const next of [
        view,
        moved(view, a, duration),
        centered(view, a, duration),
        zoomed(view, factor, a, duration),
        edged(view, "from", a, duration),
        edged(view, "to", a, duration),
        pinched(view, [a, b], [10, 50], duration),
        following(view, a, b, duration, false),
        following(view, a, b, duration, true),
        revealing(view, a, duration),
        resized(view, 300, duration),
      ])
        expectSound(next, duration);
    }),
  );
});

test("pixels and seconds are each other's inverse", () => {
  fc.assert(
    fc.property(views, fc.double({ min: 0, max: 1, noNaN: true }), ({ view }, part) => {
      fc.pre(spanOf(view) > 1e-6);
      const at = view.from + part * spanOf(view);
      expect(secondsAt(view, xOf(view, at))).toBeCloseTo(at, 6);
    }),
  );
});

test("zooming keeps what is under the hand where it is, as far as the ends let it", () => {
  const view = looking(100, 50, HOUR, 1_000);
  const next = zoomed(view, 4, 110, HOUR);
  expect(spanOf(next)).toBeCloseTo(12.5);
  expect(xOf(next, 110)).toBeCloseTo(xOf(view, 110));
  // At the beginning there is nothing further to the left.
  expect(zoomed(looking(0, 10, HOUR, 1_000), 0.5, 9, HOUR).from).toBe(0);
});

test("from a whole hour to single beats in as many steps as a wheel has patience for", () => {
  let view = whole(HOUR, 1_000);
  for (let step = 0; step < 40; step++) view = zoomed(view, 1.25, 1_800, HOUR);
  expect(pixelsPerSecond(view)).toBeGreaterThan(600);
  expect(view.from).toBeLessThan(1_800);
  expect(view.to).toBeGreaterThan(1_800);
  expect(isWhole(zoomed(view, 1e-9, 1_800, HOUR), HOUR)).toBe(true);
});

test("two fingers hold what they touched", () => {
  const view = looking(100, 100, HOUR, 1_000);
  const held = [secondsAt(view, 200), secondsAt(view, 400)] as const;
  const next = pinched(view, held, [100, 700], HOUR);
  expect([xOf(next, held[0]), xOf(next, held[1])].map(Math.round)).toEqual([100, 700]);
  // Fingers that have crossed, or lie on each other, are no reason to jump.
  expect(pinched(view, held, [700, 100], HOUR)).toEqual(next);
  expect(pinched(view, held, [300, 300], HOUR)).toBe(view);
});

test("an edge of the box moves, the other stays", () => {
  const view = looking(100, 50, HOUR, 1_000);
  expect(edged(view, "to", 200, HOUR)).toMatchObject({ from: 100, to: 200 });
  expect(edged(view, "from", 20, HOUR)).toMatchObject({ from: 20, to: 150 });
  expect(edged(view, "from", 400, HOUR)).toMatchObject({ to: 150 });
});

describe("while it plays", () => {
  const view = looking(100, 10, HOUR, 1_000);
  test("the cursor runs to the middle, then the sound passes under it", () => {
    expect(following(view, 101, 101.02, HOUR, false)).toBe(view);
    const next = following(view, 105, 105.02, HOUR, false);
    expect(xOf(next, 105.02)).toBeCloseTo(500);
  });
  test("a cursor near the edge is brought to the middle without a jump", () => {
    let [now, here] = [109, view];
    for (let frame = 0; frame < 400; frame++) {
      const next = following(here, now, now + 0.02, HOUR, false);
      expect(next.from - here.from).toBeLessThanOrEqual(0.0401);
      [now, here] = [now + 0.02, next];
    }
    expect(xOf(here, now)).toBeCloseTo(500);
  });
  test("what somebody has left behind is not fetched back, nor what jumps back", () => {
    expect(following(view, 300, 300.02, HOUR, false)).toBe(view);
    expect(following(view, 109, 101, HOUR, false)).toBe(view);
  });
  test("with less motion it turns like a page", () => {
    expect(following(view, 109.9, 109.98, HOUR, true)).toBe(view);
    const next = following(view, 109.99, 110.01, HOUR, true);
    expect(xOf(next, 110.01)).toBeCloseTo(60);
  });
  test("at the end it stays", () => expect(following(looking(HOUR - 10, 10, HOUR, 1_000), 3_599, 3_599.02, HOUR, false).to).toBe(HOUR));
});

test("a chosen position is shown: in place where it is in sight, else around it", () => {
  const view = looking(100, 10, HOUR, 1_000);
  expect(revealing(view, 109.6, HOUR)).toBe(view);
  expect(revealing(view, 109.9, HOUR).from).toBeCloseTo(104.9);
  expect(revealing(view, 500, HOUR)).toMatchObject({ from: 495, to: 505 });
  expect([isInside(view, 110), isTouched(view, 0, 100), isTouched(view, 0, 99)]).toEqual([true, true, false]);
});

test("nothing known of length or width is no fault", () => {
  for (const duration of [0, Number.NaN, Number.POSITIVE_INFINITY, -3]) {
    const view = whole(duration, 0);
    expect([view.from, view.to, xOf(view, 3), secondsAt(view, 3), pixelsPerSecond(view)]).toEqual([0, 0, 0, 0, 0]);
    expect(zoomed(view, 2, 1, duration)).toMatchObject({ from: 0, to: 0 });
  }
});
