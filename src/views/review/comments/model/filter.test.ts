import { expect, test } from "vitest";
import { commentOf, pendingOf } from "../../../../queries/comments/comment.fixture.ts";
import { filtered, filterIn, linkedIn, pathOf, withFilter } from "./filter.ts";
import { threadsOf } from "./threads.ts";

const resolved = { resolved_at: "2026-11-17T10:00:00.000Z", resolved_by_account_id: 2 };
const threads = threadsOf(
  [
    commentOf(1),
    commentOf(2, { ...resolved, account_id: 2 }),
    commentOf(3, { account_id: 2 }),
    commentOf(4, { account_id: 2 }),
    commentOf(5, { parent_comment_id: 4 }),
    commentOf(6, { account_id: 1, ...resolved }),
  ],
  [pendingOf("new", { at: 99_000 })],
);
const shown = (filter: "open" | "mine" | "all", held: string[] = []) =>
  filtered(threads, { filter, accountId: 1, held: new Set(held) }).map(({ body }) => body);

test("open ones, those one has a word in, all; what is held stays", () => {
  expect(shown("open")).toEqual(["comment 1", "comment 3", "comment 4", "new"]);
  expect(shown("mine")).toEqual(["comment 1", "comment 4", "comment 6", "new"]);
  expect(shown("all")).toHaveLength(6);
  expect(shown("open", ["#6"])).toContain("comment 6");
});

test("a deleted comment is nothing open; a reply that was refused stays in sight", () => {
  const gone = { deleted: true, body: "" };
  const some = threadsOf(
    [commentOf(1, gone), commentOf(2, { parent_comment_id: 1 }), commentOf(3, gone)],
    [pendingOf("no", { parentId: 3 }, { state: "failed" })],
  );
  expect(filtered(some, { filter: "open", accountId: 9, held: new Set() }).map(({ replies }) => replies.map(({ body }) => body))).toEqual([["no"]]);
  expect(filtered(some, { filter: "all", accountId: 9, held: new Set() })).toHaveLength(2);
});

test("the filter stands in the address, the usual one without a word", () => {
  const at = (text: string) => new URLSearchParams(text);
  expect(["", "comments=mine", "comments=odd"].map((text) => filterIn(at(text)))).toEqual(["open", "mine", "open"]);
  expect(withFilter(at("t=3&comment=9"), "all").toString()).toBe("t=3&comments=all");
  expect(withFilter(at("comments=all&t=3"), "open").toString()).toBe("t=3");
});

test.each([
  ["comment=12", 12],
  ["comment=-1", null],
  ["comment=", null],
  ["comment=1.5", null],
  ["", null],
])("?%s leads to %s", (text, id) => expect(linkedIn(new URLSearchParams(text))).toBe(id));

test("a comment's path leads to it", () => expect(linkedIn(new URL(pathOf(7, 12), "https://talkback.test").searchParams)).toBe(12));
