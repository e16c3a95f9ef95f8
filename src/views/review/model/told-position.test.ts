import { expect, test } from "vitest";
import { createAnnouncedPosition } from "./told-position.ts";

test("what plays is not told; a seek, a step back and a pause are", () => {
  const state = { playing: false, position: 4 };
  const announcedPosition = createAnnouncedPosition({ state: () => state });
  const moveTo = (position: number, playing = true) => {
    Object.assign(state, { position, playing });
    return announcedPosition();
  };
  expect([announcedPosition(), moveTo(4), moveTo(4.3), moveTo(4.6), moveTo(5.1)]).toEqual([4, 4, 4, 4, 4]);
  expect([moveTo(30), moveTo(30.2), moveTo(29), moveTo(29.4)]).toEqual([30, 30, 29, 29]);
  expect(moveTo(29.5, false)).toBe(29.5);
});
