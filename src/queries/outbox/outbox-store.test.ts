import { expect, test } from "vitest";
import { serviceKey } from "./outbox-store.ts";

test("a page from before there were comments, which looks for its service's address alone, finds none and sends none as a message", () => {
  const comment = { fileId: 7, version: 1, at: null, end: null, parentId: null };
  expect(serviceKey("https://talkback.test/", { comment })).not.toBe("https://talkback.test/");
  for (const none of [null, undefined]) expect(serviceKey("https://talkback.test/", { comment: none! })).toBe("https://talkback.test/");
});
