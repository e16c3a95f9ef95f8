import { expect, test } from "vitest";
import { formatSize } from "./file-size.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [42_312_000, "42.3 MB"],
  [999_600, "1 MB"],
  [2_000_000_000, "2 GB"],
  [-5, "0 bytes"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
