import { expect, test } from "vitest";
import { targetIndex } from "./ImageAttachments.tsx";

test.each([
  ["ArrowRight", 0, 1],
  ["ArrowRight", 2, 2],
  ["ArrowLeft", 1, 0],
  ["ArrowLeft", 0, 0],
  ["Home", 2, 0],
  ["End", 0, 2],
  ["Tab", 1, null],
])("%s at image %d of three leads to %s", (key, index, target) => {
  expect(targetIndex(key, index, 3)).toBe(target);
});
