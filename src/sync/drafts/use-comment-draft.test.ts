import { expect, test } from "vitest";
import { setPersisted } from "../../lib/local-storage.ts";
import { EMPTY_COMMENT_DRAFT, createCommentDrafts, type CommentDraft } from "./use-comment-draft.ts";

const commentDrafts = createCommentDrafts(String);
/** Returns the draft that a page which opens now would load. */
const stored = (...target: Parameters<typeof commentDrafts.get>) => createCommentDrafts(String).get(...target);

const draft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, text: "bass is hot", anchor: { kind: "at", startMs: 83_400, endMs: null, auto: true } };

test("a draft is stored by account and target with its anchor, and an empty one is deleted", () => {
  commentDrafts.change(1, "file.7", draft);
  expect([stored(1, "file.7"), stored(1, "comment.7"), stored(2, "file.7")]).toEqual([draft, EMPTY_COMMENT_DRAFT, EMPTY_COMMENT_DRAFT]);
  commentDrafts.change(1, "file.7", EMPTY_COMMENT_DRAFT);
  expect(stored(1, "file.7")).toEqual(EMPTY_COMMENT_DRAFT);
});

test("a draft of files without text is stored with its anchor", () => {
  const fileDraft: CommentDraft = { ...EMPTY_COMMENT_DRAFT, anchor: draft.anchor, hasFiles: true };
  commentDrafts.change(1, "file.10", fileDraft);
  expect(stored(1, "file.10")).toEqual(fileDraft);
});

test.each(["anchor", "mark"])("a draft that an earlier version stored with at and end in its %s keeps its anchor", (name) => {
  setPersisted("comment-draft.1.file.8", `{"text":"bass is hot","${name}":{"kind":"at","at":83400,"end":null,"auto":true}}`);
  expect(stored(1, "file.8")).toEqual(draft);
  setPersisted("comment-draft.1.file.8", `{"text":"bass is hot","${name}":{"kind":"at","at":83400,"end":90000,"auto":false,"version":2}}`);
  expect(stored(1, "file.8").anchor).toEqual({ kind: "at", startMs: 83_400, endMs: 90_000, auto: false, version: 2 });
  setPersisted("comment-draft.1.file.8", `{"text":"bass is hot","${name}":{"kind":"follow"}}`);
  expect(stored(1, "file.8").anchor).toEqual({ kind: "follow" });
});

test.each(["", "{", "null", '{"text":3}', '{"text":"x","anchor":{"kind":"at","startMs":"soon"}}'])("an invalid stored draft is ignored: %s", (text) => {
  setPersisted("comment-draft.1.file.9", text);
  expect(stored(1, "file.9")).toEqual(EMPTY_COMMENT_DRAFT);
});
