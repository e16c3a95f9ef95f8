import { expect, test } from "vitest";
import { remember } from "../../lib/remembered.ts";
import { BLANK, deskOf, loadWritten, saveWritten, type Written } from "./comment-drafts.ts";

const written: Written = { text: "bass is hot", mark: { kind: "at", at: 83_400, end: null, auto: true } };

test("a draft is kept by account and desk, with its moment; without words it is forgotten", () => {
  saveWritten(1, "file.7", written);
  expect([loadWritten(1, "file.7"), loadWritten(1, "comment.7"), loadWritten(2, "file.7")]).toEqual([written, BLANK, BLANK]);
  saveWritten(1, "file.7");
  expect(loadWritten(1, "file.7")).toEqual(BLANK);
});

test.each(["", "{", "null", '{"text":3}', '{"text":"x","mark":{"kind":"at","at":"soon"}}'])("what is no draft is none: %s", (text) => {
  remember("comment-draft.1.file.9", text);
  expect(loadWritten(1, "file.9")).toEqual(BLANK);
});

test("what another tab has written is known by its name", () => {
  expect(deskOf("comment-draft.5.file.7")).toEqual({ accountId: 5, desk: "file.7" });
  expect([deskOf("draft.5.7"), deskOf("comment-draft.5.file.x")]).toEqual([null, null]);
});
