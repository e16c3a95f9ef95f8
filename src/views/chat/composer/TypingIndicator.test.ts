import { expect, test } from "vitest";
import { formatTyping } from "./TypingIndicator.tsx";

test("formatTyping names who is typing", () => {
  expect(formatTyping([])).toBeNull();
  expect(formatTyping(["Ana"])).toBe("Ana is typing…");
  expect(formatTyping(["Ana", "Ben"])).toBe("Ana and Ben are typing…");
  expect(formatTyping(["Ana", "Ben", "Cy", "Di"])).toBe("Ana, Ben and 2 more are typing…");
});
