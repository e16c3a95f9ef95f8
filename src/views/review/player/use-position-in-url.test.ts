import { expect, test } from "vitest";
import { withPosition, withPositionOnly } from "./use-position-in-url.ts";

test("the URL preserves its other parameters, and a link to a position removes the comment", () => {
  expect(withPosition("?comment=5&comments=all", 180.06).toString()).toBe("comment=5&comments=all&t=180.0");
  expect(withPositionOnly("?comment=5&comments=all&t=3", 180.06).toString()).toBe("comments=all&t=180.0");
});
