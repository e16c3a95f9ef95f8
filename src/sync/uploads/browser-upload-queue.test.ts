import { expect, test } from "vitest";
import { validateFile } from "./browser-upload-queue.ts";

test("empty files and files above the service's limit are rejected with a message; an unknown limit rejects nothing", () => {
  expect(validateFile({ size: 0 }, 10)).toBe("The file is empty.");
  expect(validateFile({ size: 2_000_001 }, 2_000_000)).toBe("The file is larger than the 2 MB limit.");
  expect(validateFile({ size: 2_000_000 }, 2_000_000)).toBeNull();
  expect(validateFile({ size: 9e12 }, undefined)).toBeNull();
});
