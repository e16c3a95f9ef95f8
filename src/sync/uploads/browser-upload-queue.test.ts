import { expect, test } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { validateFile } from "./browser-upload-queue.ts";

test("empty files and files above the service's limit are rejected with a message; an unknown limit rejects nothing", () => {
  expect(validateFile({ size: 0 }, 10)).toBe("The file is empty.");
  expect(validateFile({ size: 2_000_001 }, 2_000_000)).toBe("The file is larger than the 2 MB limit.");
  expect(validateFile({ size: 2_000_000 }, 2_000_000)).toBeNull();
  expect(validateFile({ size: 9e12 }, undefined)).toBeNull();
});

test("a file is in the queue as soon as it is added, so that a message sent right after takes it along", () => {
  const queue = createClient().uploads;
  queue.add({ accountId: 1, projectId: 2 }, [{ file: new File(["bytes"], "a.bin"), target: null, id: "u1" }]);
  expect(queue.uploads().map(({ id, messageId }) => [id, messageId])).toEqual([["u1", null]]);
  queue.claim(["u1"], "message");
  expect(queue.uploads()[0]!.messageId).toBe("message");
  queue.cancel("u1");
});
