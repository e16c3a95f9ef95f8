import { expect, test } from "vitest";
import { commentOf, pendingOf } from "../../../../queries/comments/comment.fixture.ts";
import { threadsOf } from "./threads.ts";

const shape = (...input: Parameters<typeof threadsOf>) => threadsOf(...input).map(({ body, replies }) => [body, ...replies.map((one) => one.body)].join(" > "));

test("in time order, those of the whole file behind, replies under what they answer", () => {
  const comments = [
    commentOf(1, { position_ms: null }),
    commentOf(2, { position_ms: 9_000 }),
    commentOf(3, { position_ms: 4_000 }),
    commentOf(4, { position_ms: 4_000, end_ms: 6_000 }),
    commentOf(5, { parent_comment_id: 3, position_ms: null }),
  ];
  const pending = [pendingOf("early", { at: 1_000 }), pendingOf("answer", { parentId: 3 })];
  expect(shape(comments, pending)).toEqual(["early", "comment 3 > comment 5 > answer", "comment 4", "comment 2", "comment 1"]);
});

test("what has arrived is shown once and keeps its key; another person's of the same name is another one", () => {
  const pending = [pendingOf("abc", { at: 0 })];
  const [waiting] = threadsOf([], pending);
  const [arrived, ...more] = threadsOf([commentOf(1, { client_id: "abc" })], pending);
  expect([arrived?.key, more]).toEqual([waiting?.key, []]);
  expect(threadsOf([commentOf(1, { client_id: "abc", account_id: 2 })], pending)).toHaveLength(2);
});

test("a deleted comment stays for its replies alone; a reply that has lost its thread stays in sight while it waits", () => {
  const comments = [
    commentOf(1, { deleted: true, body: "" }),
    commentOf(2, { deleted: true, body: "" }),
    commentOf(3, { parent_comment_id: 2 }),
    commentOf(4, { parent_comment_id: 1, deleted: true, body: "" }),
  ];
  expect(shape(comments, [])).toEqual([" > comment 3"]);
  expect(shape(comments, [pendingOf("late", { parentId: 99 })])).toEqual([" > comment 3", "late"]);
  // 1: somebody is answering it; 4: somebody is changing it.
  expect(shape(comments, [], new Set([1]))).toEqual(["", " > comment 3"]);
  expect(shape(comments, [], new Set([4]))).toEqual([" > ", " > comment 3"]);
});
