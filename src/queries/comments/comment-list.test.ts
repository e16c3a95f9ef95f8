import fc from "fast-check";
import { expect, test } from "vitest";
import type { Comment } from "../../../contract/comment-records.ts";
import { buildAttachment } from "../files/attachment.fixture.ts";
import { isUnread, mergeReloaded, withAttachments, withComment, withLastReadId, type FileComments } from "./comment-list.ts";
import { buildComment } from "./comment.fixture.ts";

const EMPTY: FileComments = { comments: [], lastReadId: 0 };
const upsertAll = (list: FileComments, updates: readonly Comment[]) => updates.reduce(withComment, list);

test("comments in any order and number end as one list by id at their newest revision", () => {
  const recordsArbitrary = fc.array(fc.record({ id: fc.integer({ min: 1, max: 12 }), revision: fc.integer({ min: 1, max: 5 }) }), { maxLength: 40 });
  fc.assert(
    fc.property(recordsArbitrary, fc.infiniteStream(fc.nat()), (records, order) => {
      const updates = records.map(({ id, revision }) => buildComment(id, { revision, body: `${id}@${revision}` }));
      const shuffled = [...updates, ...updates].map((one) => ({ one, at: order.next().value as number })).toSorted((a, b) => a.at - b.at);
      const { comments } = upsertAll(
        EMPTY,
        shuffled.map(({ one }) => one),
      );
      const newest = new Map<number, number>();
      for (const { id, revision } of records) newest.set(id, Math.max(revision, newest.get(id) ?? 0));
      expect(comments.map(({ body }) => body)).toEqual([...newest].toSorted(([a], [b]) => a - b).map(([id, revision]) => `${id}@${revision}`));
    }),
  );
});

test("a known revision does not change the list, and the read position never moves back", () => {
  const list = upsertAll(EMPTY, [buildComment(1, { revision: 2 })]);
  expect(withComment(list, buildComment(1, { revision: 2, body: "same revision" }))).toBe(list);
  expect(withLastReadId({ ...list, lastReadId: 5 }, 4)).toMatchObject({ lastReadId: 5 });
});

test("a reload removes missing comments and does not restore older revisions", () => {
  const existing = { comments: [buildComment(1, { revision: 3 }), buildComment(2)], lastReadId: 2 };
  const merged = mergeReloaded(existing, { comments: [buildComment(1), buildComment(3)], lastReadId: 1 });
  expect(merged).toMatchObject({ comments: [{ id: 1, revision: 3 }, { id: 3 }], lastReadId: 2 });
});

test("only newer comments of others that are not deleted are unread", () => {
  const unread = (id: number, changes: Partial<Comment> = {}) => isUnread(buildComment(id, { account_id: 2, ...changes }), 5, 1);
  expect([unread(6), unread(5), unread(6, { account_id: 1 }), unread(6, { deleted: true })]).toEqual([true, false, false, false]);
});

test("a file's change shows on every comment that has it, and on no other", () => {
  const list: FileComments = { comments: [buildComment(1, { attachments: [buildAttachment(5), buildAttachment(6)] }), buildComment(2)], lastReadId: 0 };
  const renamed = withAttachments(list, 5, (attachment) => ({ ...attachment, name: "renamed.wav" }));
  expect(renamed.comments[0]?.attachments?.map(({ name }) => name)).toEqual(["renamed.wav", "file-6.wav"]);
  expect(renamed.comments[1]).toBe(list.comments[1]);
  expect([withAttachments(list, 9, () => buildAttachment(1)), withAttachments(list, 5, (attachment) => attachment)]).toEqual([list, list]);
});
