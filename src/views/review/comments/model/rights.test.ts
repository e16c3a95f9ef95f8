import { expect, test } from "vitest";
import { buildComment, buildPendingComment } from "../../../../queries/comments/comment.fixture.ts";
import { commentPermissions } from "./rights.ts";
import { buildThreads } from "./threads.ts";

const ANA = { accountId: 1, canManage: false, isGuest: false };
const firstItem = (...args: Parameters<typeof buildThreads>) => buildThreads(...args)[0]!;
const ownItem = firstItem([buildComment(1)], []);
const otherItem = firstItem([buildComment(1, { account_id: 2 })], []);
const [reply] = firstItem([buildComment(1, { account_id: 2 }), buildComment(2, { parent_comment_id: 1 })], []).replies;

test.each([
  ["one's own", ownItem, ANA, { canEdit: true, canDelete: true, canResolve: true }],
  ["another's", otherItem, ANA, { canEdit: false, canDelete: false, canResolve: true }],
  ["another's, for an admin", otherItem, { ...ANA, canManage: true }, { canEdit: false, canDelete: true, canResolve: true }],
  ["another's, for a guest", otherItem, { ...ANA, isGuest: true }, { canEdit: false, canDelete: false, canResolve: false }],
  ["a guest's own", ownItem, { ...ANA, isGuest: true }, { canEdit: true, canDelete: true, canResolve: true }],
  ["one's own reply, which nobody resolves", reply!, ANA, { canEdit: true, canDelete: true, canResolve: false }],
  ["one that is on its way", firstItem([], [buildPendingComment("x")]), ANA, { canEdit: false, canDelete: false, canResolve: false }],
])("%s", (_, item, user, expected) => expect(commentPermissions(item, user)).toEqual(expected));

test("a deleted one is nobody's to change", () => {
  const deletedItem = firstItem([buildComment(1, { deleted: true, body: "" }), buildComment(2, { parent_comment_id: 1 })], []);
  expect(commentPermissions(deletedItem, { ...ANA, canManage: true })).toEqual({ canEdit: false, canDelete: false, canResolve: false });
});
