import { expect, test } from "vitest";
import { actionForKey, sliderStep } from "./use-transport-keys.ts";

test.each([
  [" ", { kind: "toggle" }],
  ["K", { kind: "toggle" }],
  ["j", { kind: "by", seconds: -10 }],
  ["L", { kind: "by", seconds: 10 }],
  ["ArrowLeft", { kind: "by", seconds: -5 }],
  [".", { kind: "by", seconds: 1 / 30 }],
  ["3", { kind: "to", fraction: 0.3 }],
  ["Home", { kind: "to", fraction: 0 }],
  ["End", { kind: "to", fraction: 1 }],
  ["i", { kind: "loop", point: "from" }],
  ["O", { kind: "loop", point: "to" }],
  ["m", { kind: "comment" }],
  ["+", { kind: "zoom", factor: 1.5 }],
  ["=", { kind: "zoom", factor: 1.5 }],
  ["-", { kind: "zoom", factor: 1 / 1.5 }],
  ["0", { kind: "fit" }],
  ["x", null],
  ["12", null],
  ["constructor", null],
])("the action of key %j", (key, action) => expect(actionForKey(key)).toEqual(action));

test("arrow and page keys move the focused slider", () => {
  expect(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "x"].map((key) => sliderStep(key, 200))).toEqual([5, -5, 20, -20, null]);
});
