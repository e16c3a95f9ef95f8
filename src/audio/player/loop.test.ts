import fc from "fast-check";
import { expect, test } from "vitest";
import { moveLoopEdge, loopJumpTarget, createLoop, withLoopStart, withLoopEnd, MIN_LOOP_SECONDS, toggleLoop, selectRange } from "./loop.ts";

test("I and O set the loop's start and end in either order", () => {
  const first = withLoopStart(null, 10, 60);
  expect(first).toEqual({ from: 10, to: 60, on: true });
  expect(withLoopEnd(first, 20, 60)).toEqual({ from: 10, to: 20, on: true });
  expect(withLoopEnd(null, 20, 60)).toEqual({ from: 0, to: 20, on: true });
  // A start after the old end, or an end before the old start, replaces that old point.
  expect(withLoopStart({ from: 10, to: 20, on: true }, 30, 60)).toEqual({ from: 30, to: 60, on: true });
  expect(withLoopEnd({ from: 10, to: 20, on: true }, 5, 60)).toEqual({ from: 0, to: 5, on: true });
});

test("turning a loop off and on preserves its points; without points it covers the whole track", () => {
  const off = toggleLoop({ from: 1, to: 2, on: true }, 60);
  expect(off).toEqual({ from: 1, to: 2, on: false });
  expect(toggleLoop(off, 60)).toEqual({ from: 1, to: 2, on: true });
  expect(toggleLoop(null, 60)).toEqual({ from: 0, to: 60, on: true });
  expect(toggleLoop(null, 0)).toBeNull();
});

test("a loop stays within the track and above the minimum length, whatever is set or dragged", () => {
  const at = fc.double({ min: -100, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(at, at, at, fc.constantFrom<"from" | "to">("from", "to"), fc.double({ min: 0.1, max: 7_200, noNaN: true }), (a, b, c, end, duration) => {
      const created = createLoop(a, b, duration)!;
      for (const loop of [created, moveLoopEdge(created, end, c, duration)]) {
        expect(loop.from).toBeGreaterThanOrEqual(0);
        expect(loop.to).toBeLessThanOrEqual(duration + 1e-9);
        expect(loop.to - loop.from).toBeGreaterThanOrEqual(MIN_LOOP_SECONDS - 1e-9);
      }
    }),
  );
});

test("playback jumps back when it passes the loop's end, but not when it starts after the loop", () => {
  const loop = { from: 10, to: 20, on: true };
  expect(loopJumpTarget(loop, 19.99, 20.01)).toBe(10);
  expect(loopJumpTarget(loop, 15, 15.02)).toBeNull();
  expect(loopJumpTarget(loop, 20.01, 20.03)).toBeNull();
  // Playback starts before the loop and enters it.
  expect(loopJumpTarget(loop, 9.99, 10.01)).toBeNull();
  expect(loopJumpTarget({ ...loop, on: false }, 19.99, 20.01)).toBeNull();
  expect(loopJumpTarget(null, 19.99, 20.01)).toBeNull();
});

test("a selected part does not loop, unless the loop is on already", () => {
  expect(selectRange(null, 9, 6, 20)).toEqual({ from: 6, to: 9, on: false });
  expect(selectRange(null, 5.9996, 8.9996, 20)).toEqual({ from: 6, to: 9, on: false });
  expect(selectRange({ from: 1, to: 2, on: false }, 6, 9, 20)).toEqual({ from: 6, to: 9, on: false });
  expect(selectRange({ from: 1, to: 2, on: true }, 6, 9, 20)).toEqual({ from: 6, to: 9, on: true });
  expect(selectRange(null, -3, 40, 20)).toEqual({ from: 0, to: 20, on: false });
});
