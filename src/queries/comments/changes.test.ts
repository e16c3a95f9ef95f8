import { expect, test } from "vitest";
import { applyCommentChanges, type CommentChange } from "./changes.ts";
import { commentOf } from "./comment.fixture.ts";

const shown = (changes: readonly CommentChange[], given = commentOf(1)) => applyCommentChanges([commentOf(9), given], changes)[1]!;
const AT = "2026-11-20T12:00:00.000Z";

test("what was changed here is shown before the answer, the last choice on top", () => {
  expect(shown([{ kind: "body", commentId: 1, body: "better" }])).toMatchObject({ body: "better", edited_at: expect.any(String) });
  const resolve: CommentChange = { kind: "resolved", commentId: 1, by: 3, at: AT };
  expect(shown([resolve])).toMatchObject({ resolved_at: AT, resolved_by_account_id: 3 });
  expect(shown([resolve, { ...resolve, at: null }])).toMatchObject({ resolved_at: null, resolved_by_account_id: null });
  expect(shown([{ kind: "deleted", commentId: 1, deleted: true }, resolve])).toMatchObject({ deleted: true, resolved_at: null });
});

test("what says the same, or comes back without its words yet, changes nothing; without changes it is the same array", () => {
  const gone = commentOf(1, { deleted: true, body: "" });
  expect(shown([{ kind: "deleted", commentId: 1, deleted: false }], gone)).toBe(gone);
  const same = commentOf(1);
  expect(shown([{ kind: "body", commentId: 1, body: same.body }], same)).toBe(same);
  const all = [same];
  expect(applyCommentChanges(all, [])).toBe(all);
});
