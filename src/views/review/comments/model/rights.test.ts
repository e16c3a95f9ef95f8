import { expect, test } from "vitest";
import { commentOf, pendingOf } from "../../../../queries/comments/comment.fixture.ts";
import { rightsOver } from "./rights.ts";
import { threadsOf } from "./threads.ts";

const ANA = { accountId: 1, manages: false, isGuest: false };
const note = (...given: Parameters<typeof threadsOf>) => threadsOf(...given)[0]!;
const own = note([commentOf(1)], []);
const hers = note([commentOf(1, { account_id: 2 })], []);
const [reply] = note([commentOf(1, { account_id: 2 }), commentOf(2, { parent_comment_id: 1 })], []).replies;

test.each([
  ["one's own", own, ANA, { edit: true, delete: true, resolve: true }],
  ["another's", hers, ANA, { edit: false, delete: false, resolve: true }],
  ["another's, for an admin", hers, { ...ANA, manages: true }, { edit: false, delete: true, resolve: true }],
  ["another's, for a guest", hers, { ...ANA, isGuest: true }, { edit: false, delete: false, resolve: false }],
  ["a guest's own", own, { ...ANA, isGuest: true }, { edit: true, delete: true, resolve: true }],
  ["one's own reply, which nobody resolves", reply!, ANA, { edit: true, delete: true, resolve: false }],
  ["one that is on its way", note([], [pendingOf("x")]), ANA, { edit: false, delete: false, resolve: false }],
])("%s", (_, given, who, rights) => expect(rightsOver(given, who)).toEqual(rights));

test("a deleted one is nobody's to change", () => {
  const gone = note([commentOf(1, { deleted: true, body: "" }), commentOf(2, { parent_comment_id: 1 })], []);
  expect(rightsOver(gone, { ...ANA, manages: true })).toEqual({ edit: false, delete: false, resolve: false });
});
