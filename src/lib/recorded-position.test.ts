import { expect, test } from "vitest";
import { hasRecordedPosition, withRecordedPosition } from "./recorded-position.ts";

test("a recorded position is found beside other state, also in a history entry of an earlier version", () => {
  expect(withRecordedPosition({ from: "chat" })).toEqual({ from: "chat", isPositionRecorded: true });
  expect([withRecordedPosition(null), { keepPosition: true }].map(hasRecordedPosition)).toEqual([true, true]);
  expect([null, undefined, {}, { from: "chat" }].map(hasRecordedPosition)).toEqual([false, false, false, false]);
});
