import { expect, test } from "vitest";
import { needsDocument, sanitizeNextPath, signInPath } from "./sign-in.ts";

test.each([
  [null, "/"],
  ["", "/"],
  ["/projects/3/chat?x=1#y", "/projects/3/chat?x=1#y"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
])("the next path %j becomes %j", (next, path) => {
  expect(sanitizeNextPath(next)).toBe(path);
});

test("signInPath contains the path to return to", () => {
  const from = "/projects/3/chat?a=b&c=d";
  const url = new URL(signInPath(from), "https://t.example");
  expect(url.pathname).toBe("/sign-in");
  expect(sanitizeNextPath(url.searchParams.get("next"))).toBe(from);
  expect(signInPath("/")).toBe("/sign-in");
});

test.each([
  ["/authorize", true],
  ["/authorize?client_id=1", true],
  ["/authorize#x", true],
  ["/authorize/?x", true],
  ["/authorized", false],
  ["/authorize/x", false],
  ["/projects/3/chat?next=/authorize", false],
])("the document of %s must be loaded: %s", (path, needed) => {
  expect(needsDocument(path)).toBe(needed);
});
