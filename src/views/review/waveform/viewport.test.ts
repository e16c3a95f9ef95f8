import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  centerView,
  moveViewEdge,
  followPlayback,
  isInView,
  isRangeVisible,
  isSelectionVisible,
  isFullView,
  minSpan,
  createView,
  createViewportStore,
  panView,
  pinchView,
  pixelsPerSecond,
  resizeView,
  revealPosition,
  secondsAt,
  spanOf,
  fullView,
  toX,
  zoomView,
  type VisibleRange,
} from "./viewport.ts";

const HOUR = 3_600;
const seconds = fc.double({ min: -100, max: 30_000, noNaN: true });
const lengths = fc.oneof(fc.constantFrom(0, 0.01, 0.5, 222.1, HOUR, 7 * HOUR), fc.double({ min: 0, max: 30_000, noNaN: true }));
const widths = fc.integer({ min: 1, max: 4_000 });
const views = fc
  .tuple(seconds, fc.double({ min: 0, max: 30_000, noNaN: true }), lengths, widths)
  .map(([from, span, duration, width]) => ({ view: createView(from, span, duration, width), duration }));

function expectValidView(view: VisibleRange, duration: number) {
  expect(view.from).toBeGreaterThanOrEqual(0);
  expect(view.to).toBeLessThanOrEqual(duration + 1e-6);
  expect(spanOf(view)).toBeGreaterThanOrEqual(minSpan(duration, view.width) - 1e-6);
}

test("every operation stays within the track and its maximum zoom", () => {
  fc.assert(
    fc.property(views, seconds, fc.double({ noNaN: false }), seconds, ({ view, duration }, a, factor, b) => {
      for (const next of [
        view,
        panView(view, a, duration),
        centerView(view, a, duration),
        zoomView(view, factor, a, duration),
        moveViewEdge(view, "from", a, duration),
        moveViewEdge(view, "to", a, duration),
        pinchView(view, [a, b], [10, 50], duration),
        followPlayback(view, a, b, duration, false),
        followPlayback(view, a, b, duration, true),
        revealPosition(view, a, duration),
        resizeView(view, 300, duration),
      ])
        expectValidView(next, duration);
    }),
  );
});

test("pixels and seconds convert in both directions", () => {
  fc.assert(
    fc.property(views, fc.double({ min: 0, max: 1, noNaN: true }), ({ view }, fraction) => {
      fc.pre(spanOf(view) > 1e-6);
      const position = view.from + fraction * spanOf(view);
      expect(secondsAt(view, toX(view, position))).toBeCloseTo(position, 6);
    }),
  );
});

test("zooming preserves the position under the pointer, except at the ends", () => {
  const view = createView(100, 50, HOUR, 1_000);
  const next = zoomView(view, 4, 110, HOUR);
  expect(spanOf(next)).toBeCloseTo(12.5);
  expect(toX(next, 110)).toBeCloseTo(toX(view, 110));
  // The view cannot move before the start of the track.
  expect(zoomView(createView(0, 10, HOUR, 1_000), 0.5, 9, HOUR).from).toBe(0);
});

test("forty wheel steps zoom from an hour to single beats", () => {
  let view = fullView(HOUR, 1_000);
  for (let step = 0; step < 40; step++) view = zoomView(view, 1.25, 1_800, HOUR);
  expect(pixelsPerSecond(view)).toBeGreaterThan(600);
  expect(view.from).toBeLessThan(1_800);
  expect(view.to).toBeGreaterThan(1_800);
  expect(isFullView(zoomView(view, 1e-9, 1_800, HOUR), HOUR)).toBe(true);
});

test("pinching preserves the positions under both fingers", () => {
  const view = createView(100, 100, HOUR, 1_000);
  const heldSeconds = [secondsAt(view, 200), secondsAt(view, 400)] as const;
  const next = pinchView(view, heldSeconds, [100, 700], HOUR);
  expect([toX(next, heldSeconds[0]), toX(next, heldSeconds[1])].map(Math.round)).toEqual([100, 700]);
  // Crossed or coinciding fingers do not make the view jump.
  expect(pinchView(view, heldSeconds, [700, 100], HOUR)).toEqual(next);
  expect(pinchView(view, heldSeconds, [300, 300], HOUR)).toBe(view);
});

test("moving one edge of the view leaves the other in place", () => {
  const view = createView(100, 50, HOUR, 1_000);
  expect(moveViewEdge(view, "to", 200, HOUR)).toMatchObject({ from: 100, to: 200 });
  expect(moveViewEdge(view, "from", 20, HOUR)).toMatchObject({ from: 20, to: 150 });
  expect(moveViewEdge(view, "from", 400, HOUR)).toMatchObject({ to: 150 });
});

describe("following playback", () => {
  const view = createView(100, 10, HOUR, 1_000);
  test("lets the playhead move to the middle, then scrolls the waveform under it", () => {
    expect(followPlayback(view, 101, 101.02, HOUR, false)).toBe(view);
    const next = followPlayback(view, 105, 105.02, HOUR, false);
    expect(toX(next, 105.02)).toBeCloseTo(500);
  });
  test("moves a playhead near the edge to the middle without a jump", () => {
    let [position, currentView] = [109, view];
    for (let frame = 0; frame < 400; frame++) {
      const next = followPlayback(currentView, position, position + 0.02, HOUR, false);
      expect(next.from - currentView.from).toBeLessThanOrEqual(0.0401);
      [position, currentView] = [position + 0.02, next];
    }
    expect(toX(currentView, position)).toBeCloseTo(500);
  });
  test("ignores a playhead outside the view or one that jumps back", () => {
    expect(followPlayback(view, 300, 300.02, HOUR, false)).toBe(view);
    expect(followPlayback(view, 109, 101, HOUR, false)).toBe(view);
  });
  test("turns pages with reduced motion", () => {
    expect(followPlayback(view, 109.9, 109.98, HOUR, true)).toBe(view);
    const next = followPlayback(view, 109.99, 110.01, HOUR, true);
    expect(toX(next, 110.01)).toBeCloseTo(60);
  });
  test("stops at the end of the track", () => expect(followPlayback(createView(HOUR - 10, 10, HOUR, 1_000), 3_599, 3_599.02, HOUR, false).to).toBe(HOUR));
});

test("a chosen position is revealed: in place when it is in view, else centered", () => {
  const view = createView(100, 10, HOUR, 1_000);
  expect(revealPosition(view, 109.6, HOUR)).toBe(view);
  expect(revealPosition(view, 109.9, HOUR).from).toBeCloseTo(104.9);
  expect(revealPosition(view, 500, HOUR)).toMatchObject({ from: 495, to: 505 });
  expect([isInView(view, 110), isRangeVisible(view, 0, 100), isRangeVisible(view, 0, 99)]).toEqual([true, true, false]);
});

test("an unknown duration or width causes no error", () => {
  for (const duration of [0, Number.NaN, Number.POSITIVE_INFINITY, -3]) {
    const view = fullView(duration, 0);
    expect([view.from, view.to, toX(view, 3), secondsAt(view, 3), pixelsPerSecond(view)]).toEqual([0, 0, 0, 0, 0]);
    expect(zoomView(view, 2, 1, duration)).toMatchObject({ from: 0, to: 0 });
  }
});

const createViewport = (duration: number, position = 0) => {
  const viewport = createViewportStore(duration, position);
  viewport.setWidth(1_000);
  return viewport;
};

test("opens fitted to a whole song, also for a link into it, and at two minutes of an hour", () => {
  expect(createViewport(222).view()).toMatchObject({ from: 0, to: 222, width: 1_000 });
  expect(createViewport(600, 300).view()).toMatchObject({ from: 0, to: 600 });
  expect(createViewport(3_600, 1_800).view()).toMatchObject({ from: 1_740, to: 1_860 });
  expect(createViewport(3).view()).toMatchObject({ from: 0, to: 3 });
});

test("follows playback and reveals chosen positions, but not during a drag", () => {
  const viewport = createViewport(600, 0);
  viewport.setView(createView(0, 100, 600, 1_000));
  viewport.follow(70, 70.02, false);
  expect(viewport.view().from).toBeCloseTo(0.04);
  viewport.follow(70.02, 400, false);
  expect(viewport.view()).toMatchObject({ from: 350, to: 450 });
  const resume = viewport.suspendFollowing();
  const [resumeSecond] = [viewport.suspendFollowing()];
  resume();
  resume();
  viewport.follow(400, 20, false);
  expect(viewport.view().from).toBe(350);
  resumeSecond();
  viewport.follow(400, 20, false);
  expect(viewport.view().from).toBe(0);
});

test("zooms around the playhead in view, or else around the middle", () => {
  const viewport = createViewport(600);
  viewport.setView(createView(0, 100, 600, 1_000));
  viewport.zoomAtPlayhead(2, 25);
  expect(viewport.view()).toMatchObject({ from: 12.5, to: 62.5 });
  viewport.zoomAtPlayhead(2, 400);
  expect(viewport.view()).toMatchObject({ from: 25, to: 50 });
});

test("notifies listeners only of changes", () => {
  const viewport = createViewport(600);
  viewport.setView(createView(0, 100, 600, 1_000));
  const listener = vi.fn<() => void>();
  const unsubscribe = viewport.subscribe(listener);
  viewport.setWidth(1_000);
  viewport.setWidth(0);
  viewport.reveal(10);
  expect(listener).not.toHaveBeenCalled();
  viewport.fit();
  viewport.fit();
  expect(listener).toHaveBeenCalledOnce();
  unsubscribe();
  viewport.zoom(4, 10);
  expect(listener).toHaveBeenCalledOnce();
});

test("a loop in view is a selection, unless it is the whole track", () => {
  const view = { from: 10, to: 20, width: 100 };
  const isVisible = (from: number, to: number) => isSelectionVisible(view, { from, to }, 100);
  expect([isVisible(12, 14), isVisible(5, 12), isVisible(0, 15), isVisible(15, 100)]).toEqual([true, true, true, true]);
  expect([isVisible(1, 5), isVisible(25, 30), isVisible(0, 100)]).toEqual([false, false, false]);
});
