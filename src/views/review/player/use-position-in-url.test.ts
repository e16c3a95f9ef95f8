import { expect, test } from "vitest";
import { withPosition, withPositionOnly } from "./use-position-in-url.ts";

test("the address keeps the position beside all else; a link to a position leads to no comment", () => {
  expect(withPosition("?comment=5&comments=all", 180.06).toString()).toBe("comment=5&comments=all&t=180.0");
  expect(withPositionOnly("?comment=5&comments=all&t=3", 180.06).toString()).toBe("comments=all&t=180.0");
});
