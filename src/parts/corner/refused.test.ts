import { expect, test } from "vitest";
import { pendingOf } from "../../queries/comments/comment.fixture.ts";
import { refusedOf } from "./refused.ts";

test("comments that were refused are told once, and not where they are seen", () => {
  const failed = { state: "failed" } as const;
  const entries = [
    pendingOf("a", { fileId: 7 }, failed),
    pendingOf("b", { fileId: 8 }, failed),
    pendingOf("c"),
    pendingOf("m", {}, { ...failed, comment: null }),
  ];
  const told = (known: string[], path: string) => refusedOf(entries, new Set(known), path).map(({ clientId }) => clientId);
  expect(told([], "/projects/1/chat")).toEqual(["a", "b"]);
  expect(told(["b"], "/projects/1/chat")).toEqual(["a"]);
  expect(told([], "/files/7")).toEqual(["b"]);
});
