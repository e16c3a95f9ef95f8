import { expect, test } from "vitest";
import { buildComment, buildPendingComment } from "../../../../queries/comments/comment.fixture.ts";
import { filterThreads, parseFilter, parseCommentId, commentPath, withFilter } from "./filter.ts";
import { buildThreads } from "./threads.ts";

const resolved = { resolved_at: "2026-11-17T10:00:00.000Z", resolved_by_account_id: 2 };
const threads = buildThreads(
  [
    buildComment(1),
    buildComment(2, { ...resolved, account_id: 2 }),
    buildComment(3, { account_id: 2 }),
    buildComment(4, { account_id: 2 }),
    buildComment(5, { parent_comment_id: 4 }),
    buildComment(6, { account_id: 1, ...resolved }),
  ],
  [buildPendingComment("new", { at: 99_000 })],
);
const visibleBodies = (filter: "open" | "mine" | "all", pinnedKeys: string[] = []) =>
  filterThreads(threads, { filter, accountId: 1, pinnedKeys: new Set(pinnedKeys) }).map(({ body }) => body);

test("open ones, those one has a word in, all; what is held stays", () => {
  expect(visibleBodies("open")).toEqual(["comment 1", "comment 3", "comment 4", "new"]);
  expect(visibleBodies("mine")).toEqual(["comment 1", "comment 4", "comment 6", "new"]);
  expect(visibleBodies("all")).toHaveLength(6);
  expect(visibleBodies("open", ["#6"])).toContain("comment 6");
});

test("a deleted comment is nothing open; a reply that was refused stays in sight", () => {
  const deletedFields = { deleted: true, body: "" };
  const deletedThreads = buildThreads(
    [buildComment(1, deletedFields), buildComment(2, { parent_comment_id: 1 }), buildComment(3, deletedFields)],
    [buildPendingComment("no", { parentId: 3 }, { state: "failed" })],
  );
  expect(filterThreads(deletedThreads, { filter: "open", accountId: 9, pinnedKeys: new Set() }).map(({ replies }) => replies.map(({ body }) => body))).toEqual([
    ["no"],
  ]);
  expect(filterThreads(deletedThreads, { filter: "all", accountId: 9, pinnedKeys: new Set() })).toHaveLength(2);
});

test("the filter stands in the address, the usual one without a word", () => {
  const parseParams = (text: string) => new URLSearchParams(text);
  expect(["", "comments=mine", "comments=odd"].map((text) => parseFilter(parseParams(text)))).toEqual(["open", "mine", "open"]);
  expect(withFilter(parseParams("t=3&comment=9"), "all").toString()).toBe("t=3&comments=all");
  expect(withFilter(parseParams("comments=all&t=3"), "open").toString()).toBe("t=3");
});

test.each([
  ["comment=12", 12],
  ["comment=-1", null],
  ["comment=", null],
  ["comment=1.5", null],
  ["", null],
])("?%s leads to %s", (text, id) => expect(parseCommentId(new URLSearchParams(text))).toBe(id));

test("a comment's path leads to it", () => expect(parseCommentId(new URL(commentPath(7, 12), "https://talkback.test").searchParams)).toBe(12));
