import fc from "fast-check";
import { expect, test } from "vitest";
import { type Crop, createCrop, MAX_ZOOM, moveCrop, type Size, zoomCrop, zoomOf } from "./crop.ts";

const WIDE: Size = { width: 800, height: 400 };

test("begins with the largest square in the middle", () => {
  expect(createCrop(WIDE)).toEqual({ left: 200, top: 0, side: 400 });
  expect(createCrop({ width: 300, height: 900 })).toEqual({ left: 0, top: 300, side: 300 });
});

test("moves up to the edges", () => {
  expect(moveCrop(WIDE, createCrop(WIDE), 50, 50)).toEqual({ left: 250, top: 0, side: 400 });
  expect(moveCrop(WIDE, createCrop(WIDE), 9_999, -9_999)).toEqual({ left: 400, top: 0, side: 400 });
});

test("zooms around its middle, between one and the largest zoom", () => {
  const zoomed = zoomCrop(WIDE, createCrop(WIDE), 2);
  expect(zoomed).toEqual({ left: 300, top: 100, side: 200 });
  expect(zoomOf(WIDE, zoomed)).toBe(2);
  expect(zoomCrop(WIDE, zoomed, 1)).toEqual(createCrop(WIDE));
  expect(zoomOf(WIDE, zoomCrop(WIDE, zoomed, 99))).toBe(MAX_ZOOM);
  expect(zoomOf(WIDE, zoomCrop(WIDE, zoomed, 0))).toBe(1);
});

test("stays within the picture, whatever is done to it", () => {
  const side = fc.integer({ min: 1, max: 5_000 });
  const step = fc.oneof(
    fc.record({ dx: fc.integer({ min: -9_000, max: 9_000 }), dy: fc.integer({ min: -9_000, max: 9_000 }) }),
    fc.record({ zoom: fc.double({ min: 0.1, max: 9, noNaN: true }) }),
  );
  fc.assert(
    fc.property(fc.record({ width: side, height: side }), fc.array(step), (size, steps) => {
      const crop = steps.reduce<Crop>(
        (before, change) => ("zoom" in change ? zoomCrop(size, before, change.zoom) : moveCrop(size, before, change.dx, change.dy)),
        createCrop(size),
      );
      expect(crop.left).toBeGreaterThanOrEqual(0);
      expect(crop.top).toBeGreaterThanOrEqual(0);
      expect(crop.left + crop.side).toBeLessThanOrEqual(size.width + 1e-6);
      expect(crop.top + crop.side).toBeLessThanOrEqual(size.height + 1e-6);
    }),
  );
});
