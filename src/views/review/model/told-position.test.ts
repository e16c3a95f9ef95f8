import { expect, test } from "vitest";
import { toldPosition } from "./told-position.ts";

test("what plays is not told; a seek, a step back and a pause are", () => {
  const state = { playing: false, position: 4 };
  const told = toldPosition({ state: () => state });
  const at = (position: number, playing = true) => {
    Object.assign(state, { position, playing });
    return told();
  };
  expect([told(), at(4), at(4.3), at(4.6), at(5.1)]).toEqual([4, 4, 4, 4, 4]);
  expect([at(30), at(30.2), at(29), at(29.4)]).toEqual([30, 30, 29, 29]);
  expect(at(29.5, false)).toBe(29.5);
});
