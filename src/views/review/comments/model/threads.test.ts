import { expect, test } from "vitest";
import { buildComment, buildPendingComment } from "../../../../queries/comments/comment.fixture.ts";
import { buildThreads } from "./threads.ts";

const summarize = (...input: Parameters<typeof buildThreads>) =>
  buildThreads(...input).map(({ body, replies }) => [body, ...replies.map((reply) => reply.body)].join(" > "));

test("in time order, those of the whole file behind, replies under what they answer", () => {
  const comments = [
    buildComment(1, { position_ms: null }),
    buildComment(2, { position_ms: 9_000 }),
    buildComment(3, { position_ms: 4_000 }),
    buildComment(4, { position_ms: 4_000, end_ms: 6_000 }),
    buildComment(5, { parent_comment_id: 3, position_ms: null }),
  ];
  const pending = [buildPendingComment("early", { at: 1_000 }), buildPendingComment("answer", { parentId: 3 })];
  expect(summarize(comments, pending)).toEqual(["early", "comment 3 > comment 5 > answer", "comment 4", "comment 2", "comment 1"]);
});

test("what has arrived is shown once and keeps its key; another person's of the same name is another one", () => {
  const pending = [buildPendingComment("abc", { at: 0 })];
  const [pendingThread] = buildThreads([], pending);
  const [storedThread, ...others] = buildThreads([buildComment(1, { client_id: "abc" })], pending);
  expect([storedThread?.key, others]).toEqual([pendingThread?.key, []]);
  expect(buildThreads([buildComment(1, { client_id: "abc", account_id: 2 })], pending)).toHaveLength(2);
});

test("a deleted comment stays for its replies alone; a reply that has lost its thread stays in sight while it waits", () => {
  const comments = [
    buildComment(1, { deleted: true, body: "" }),
    buildComment(2, { deleted: true, body: "" }),
    buildComment(3, { parent_comment_id: 2 }),
    buildComment(4, { parent_comment_id: 1, deleted: true, body: "" }),
  ];
  expect(summarize(comments, [])).toEqual([" > comment 3"]);
  expect(summarize(comments, [buildPendingComment("late", { parentId: 99 })])).toEqual([" > comment 3", "late"]);
  // The user is replying to comment 1 and editing comment 4.
  expect(summarize(comments, [], new Set([1]))).toEqual(["", " > comment 3"]);
  expect(summarize(comments, [], new Set([4]))).toEqual([" > ", " > comment 3"]);
});
