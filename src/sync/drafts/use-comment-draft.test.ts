import { expect, test } from "vitest";
import { setPersisted } from "../../lib/local-storage.ts";
import { EMPTY_COMMENT_DRAFT, createCommentDrafts, parseCommentDraftKey, type CommentDraft } from "./use-comment-draft.ts";

const commentDrafts = createCommentDrafts();

const draft: CommentDraft = { text: "bass is hot", anchor: { kind: "at", startMs: 83_400, endMs: null, auto: true } };

test("a draft is stored by account and target with its anchor, and an empty one is deleted", () => {
  commentDrafts.save(1, "file.7", draft);
  expect([commentDrafts.load(1, "file.7"), commentDrafts.load(1, "comment.7"), commentDrafts.load(2, "file.7")]).toEqual([
    draft,
    EMPTY_COMMENT_DRAFT,
    EMPTY_COMMENT_DRAFT,
  ]);
  commentDrafts.save(1, "file.7", EMPTY_COMMENT_DRAFT);
  expect(commentDrafts.load(1, "file.7")).toEqual(EMPTY_COMMENT_DRAFT);
});

test.each(["anchor", "mark"])("a draft that an earlier version stored with at and end in its %s keeps its anchor", (name) => {
  setPersisted("comment-draft.1.file.8", `{"text":"bass is hot","${name}":{"kind":"at","at":83400,"end":null,"auto":true}}`);
  expect(commentDrafts.load(1, "file.8")).toEqual(draft);
  setPersisted("comment-draft.1.file.8", `{"text":"bass is hot","${name}":{"kind":"at","at":83400,"end":90000,"auto":false,"version":2}}`);
  expect(commentDrafts.load(1, "file.8").anchor).toEqual({ kind: "at", startMs: 83_400, endMs: 90_000, auto: false, version: 2 });
  setPersisted("comment-draft.1.file.8", `{"text":"bass is hot","${name}":{"kind":"follow"}}`);
  expect(commentDrafts.load(1, "file.8").anchor).toEqual({ kind: "follow" });
});

test.each(["", "{", "null", '{"text":3}', '{"text":"x","anchor":{"kind":"at","startMs":"soon"}}'])("an invalid stored draft is ignored: %s", (text) => {
  setPersisted("comment-draft.1.file.9", text);
  expect(commentDrafts.load(1, "file.9")).toEqual(EMPTY_COMMENT_DRAFT);
});

test("parseCommentDraftKey returns account and target of a key", () => {
  expect(parseCommentDraftKey("comment-draft.5.file.7")).toEqual({ accountId: 5, targetId: "file.7" });
  expect([parseCommentDraftKey("draft.5.7"), parseCommentDraftKey("comment-draft.5.file.x")]).toEqual([null, null]);
});
