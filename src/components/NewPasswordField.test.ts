import { expect, test } from "vitest";
import { estimateStrength } from "./NewPasswordField.tsx";

test.each([
  ["", "empty"],
  ["short", "short"],
  ["aaaaaaaaaaaaaaaa", "fair"],
  ["121212121212121212", "fair"],
  ["hunterhunter", "fair"],
  ["correct horse", "fair"],
  ["correct horses", "good"],
  ["correct horse battery", "strong"],
  ["🎹🎷🎺🎸🥁🎻🪕🪗🎼🎵🎶", "short"],
])("password %j is %s", (password, strength) => {
  expect(estimateStrength(password, 12)).toBe(strength);
});
