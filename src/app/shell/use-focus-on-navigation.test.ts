import { expect, test } from "vitest";
import { viewOf } from "./use-focus-on-navigation.ts";

test("messages, folders, endpoints and deliveries open within their view", () => {
  for (const [path, view] of [
    ["/projects/3/chat/17", "/projects/3/chat"],
    ["/projects/3/files/8", "/projects/3/files"],
    ["/settings/webhooks/2/deliveries/5", "/settings/webhooks"],
  ] as const)
    expect(viewOf(path)).toBe(view);
});

test("the deleted files and a file's page are views of their own, which get the focus", () => {
  for (const path of ["/projects/3/files/deleted", "/projects/3/members", "/files/8", "/settings/profile"]) expect(viewOf(path)).toBe(path);
});
