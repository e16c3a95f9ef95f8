import { expect, test } from "vitest";
import { buildAttachment } from "../../../queries/files/attachment.fixture.ts";
import { buildComment, buildPendingComment } from "../../../queries/comments/comment.fixture.ts";
import { buildThreads, commentPath, commentPermissions, filterThreads, parseCommentId, parseFilter, plainText, withFilter } from "./threads.ts";

const summarize = (...input: Parameters<typeof buildThreads>) =>
  buildThreads(...input).map(({ body, replies }) => [body, ...replies.map((reply) => reply.body)].join(" > "));

test("threads are in time order, comments on the whole file last, replies below their parent", () => {
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

test("a stored comment shows once under its pending key, and another account's client id is another comment", () => {
  const pending = [buildPendingComment("abc", { at: 0 })];
  const [pendingThread] = buildThreads([], pending);
  const [storedThread, ...others] = buildThreads([buildComment(1, { client_id: "abc" })], pending);
  expect([storedThread?.key, others]).toEqual([pendingThread?.key, []]);
  expect(buildThreads([buildComment(1, { client_id: "abc", account_id: 2 })], pending)).toHaveLength(2);
});

test("a deleted comment stays only for its replies, and a pending reply without its thread stays visible", () => {
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

test("filters show open threads, own threads or all; pinned ones stay", () => {
  expect(visibleBodies("open")).toEqual(["comment 1", "comment 3", "comment 4", "new"]);
  expect(visibleBodies("mine")).toEqual(["comment 1", "comment 4", "comment 6", "new"]);
  expect(visibleBodies("all")).toHaveLength(6);
  expect(visibleBodies("open", ["#6"])).toContain("comment 6");
});

test("a deleted comment is not open, and a rejected reply stays visible", () => {
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

test("the filter is in the URL, except the default one", () => {
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
])("?%s selects comment %s", (text, id) => expect(parseCommentId(new URLSearchParams(text))).toBe(id));

test("a comment's path contains its id", () => expect(parseCommentId(new URL(commentPath(7, 12), "https://talkback.test").searchParams)).toBe(12));

const ANA = { accountId: 1, role: "member" as const, isArchived: false };
const NOTHING = { canReply: false, canEdit: false, canDelete: false, canResolve: false, canPost: false };
const firstItem = (...args: Parameters<typeof buildThreads>) => buildThreads(...args)[0]!;
const ownItem = firstItem([buildComment(1)], []);
const otherItem = firstItem([buildComment(1, { account_id: 2 })], []);
const [reply] = firstItem([buildComment(1, { account_id: 2 }), buildComment(2, { parent_comment_id: 1 })], []).replies;

test.each([
  ["own comment", ownItem, ANA, { canReply: true, canEdit: true, canDelete: true, canResolve: true, canPost: true }],
  ["another account's comment", otherItem, ANA, { canReply: true, canEdit: false, canDelete: false, canResolve: true, canPost: true }],
  [
    "another account's comment, for an admin",
    otherItem,
    { ...ANA, role: "admin" as const },
    { canReply: true, canEdit: false, canDelete: true, canResolve: true, canPost: true },
  ],
  [
    "another account's comment, for a guest",
    otherItem,
    { ...ANA, role: "guest" as const },
    { canReply: true, canEdit: false, canDelete: false, canResolve: false, canPost: true },
  ],
  [
    "own comment, for a guest",
    ownItem,
    { ...ANA, role: "guest" as const },
    { canReply: true, canEdit: true, canDelete: true, canResolve: true, canPost: true },
  ],
  ["own reply, which cannot be resolved", reply!, ANA, { canReply: true, canEdit: true, canDelete: true, canResolve: false, canPost: true }],
  ["pending comment", firstItem([], [buildPendingComment("x")]), ANA, NOTHING],
  ["own comment in an archived project", ownItem, { ...ANA, isArchived: true }, NOTHING],
])("permissions: %s", (_, item, user, expected) => expect(commentPermissions(item, user)).toEqual(expected));

test("nobody can change a deleted comment", () => {
  const deletedItem = firstItem([buildComment(1, { deleted: true, body: "" }), buildComment(2, { parent_comment_id: 1 })], []);
  expect(commentPermissions(deletedItem, { ...ANA, role: "admin" as const })).toEqual(NOTHING);
});

test("the text of a comment has names for mentions, or the name of its first file", () => {
  const nameOf = (id: number) => `Person ${id}`;
  expect(plainText({ body: "<@2> and <@3>", comment: buildComment(1, { mentions: [2] }) }, nameOf)).toBe("@Person 2 and <@3>");
  expect(plainText({ body: "", comment: buildComment(1, { attachments: [buildAttachment(7)] }) }, nameOf)).toBe("file-7.wav");
});
