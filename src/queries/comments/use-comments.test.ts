import { expect, test } from "vitest";
import { buildComment } from "./comment.fixture.ts";
import { applyCommentChanges, type PendingCommentChange } from "./use-comments.ts";

const applyToComment = (changes: readonly PendingCommentChange[], comment = buildComment(1)) => applyCommentChanges([buildComment(9), comment], changes)[1]!;
const AT = "2026-11-20T12:00:00.000Z";

test("pending changes apply before the response, the latest one on top", () => {
  expect(applyToComment([{ kind: "body", recordId: 1, body: "better" }])).toMatchObject({ body: "better", edited_at: expect.any(String) });
  const resolve: PendingCommentChange = { kind: "resolved", recordId: 1, by: 3, at: AT };
  expect(applyToComment([resolve])).toMatchObject({ resolved_at: AT, resolved_by_account_id: 3 });
  expect(applyToComment([resolve, { ...resolve, at: null }])).toMatchObject({ resolved_at: null, resolved_by_account_id: null });
  expect(applyToComment([{ kind: "deleted", recordId: 1, deleted: true }, resolve])).toMatchObject({ deleted: true, resolved_at: null });
});

test("a change without effect returns the same comment, and no changes return the same array", () => {
  const deleted = buildComment(1, { deleted: true, body: "" });
  expect(applyToComment([{ kind: "deleted", recordId: 1, deleted: false }], deleted)).toBe(deleted);
  const same = buildComment(1);
  expect(applyToComment([{ kind: "body", recordId: 1, body: same.body }], same)).toBe(same);
  const all = [same];
  expect(applyCommentChanges(all, [])).toBe(all);
});
