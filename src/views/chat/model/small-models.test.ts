import { describe, expect, test } from "vitest";
import type { Quote } from "../../../../contract/records.ts";
import { messageOf, shownComment } from "../../../queries/messages/message.fixture.ts";
import { dayOf, startOfDay } from "./day-choice.ts";
import { mayDelete, mayEdit } from "./message-rights.ts";
import { quoteWords } from "./quote-words.ts";
import { marksByMessage } from "./read-marks.ts";
import { typingWords } from "./typing-words.ts";

describe("read marks", () => {
  const messages = [messageOf(1), messageOf(2, { account_id: 2 }), messageOf(3, { deleted: true }), messageOf(5)];
  const mark = (account_id: number, last_read_message_id: number) => ({ account_id, last_read_message_id, moved_at: "" });
  const at = (marks: ReturnType<typeof mark>[], hasMoreAfter = false) => [...marksByMessage(messages, marks, { accountId: 1, hasMoreAfter })];

  test("stand at the last message that still shows, never at one's own or at the reader's", () => {
    expect(at([mark(3, 3), mark(4, 5), mark(5, 5)])).toEqual([
      [2, [3]],
      [5, [4, 5]],
    ]);
    expect(at([mark(1, 5), mark(2, 2)])).toEqual([]);
    // Who has written has been there.
    expect(at([mark(2, 1)])).toEqual([]);
  });

  test("stand nowhere where it is not loaded", () => {
    expect(marksByMessage(messages.slice(1), [mark(3, 1)], { accountId: 1, hasMoreAfter: false }).size).toBe(0);
    expect(at([mark(3, 9)])).toEqual([[5, [3]]]);
    expect(at([mark(3, 9)], true)).toEqual([]);
  });
});

test("only the writer edits; the writer and who manages delete; what is deleted can be neither", () => {
  const mine = messageOf(1);
  const member = { accountId: 2, manages: false };
  expect([mayEdit(mine, { accountId: 1, manages: false }), mayDelete(mine, { accountId: 1, manages: false })]).toEqual([true, true]);
  expect([mayEdit(mine, member), mayDelete(mine, member)]).toEqual([false, false]);
  expect([mayEdit(mine, { ...member, manages: true }), mayDelete(mine, { ...member, manages: true })]).toEqual([false, true]);
  const gone = messageOf(1, { deleted: true });
  expect([mayEdit(gone, { accountId: 1, manages: true }), mayDelete(gone, { accountId: 1, manages: true })]).toEqual([false, false]);
  const shown = messageOf(1, { comment: shownComment });
  expect([mayEdit(shown, { accountId: 1, manages: false }), mayDelete(shown, { accountId: 1, manages: false })]).toEqual([false, true]);
});

test("a quote says what was said, else what it was", () => {
  const quote: Quote = { id: 1, account_id: 2, excerpt: "", mentions: [], deleted: false, is_audio_message: false, attachment_name: null };
  const nameOf = (id: number) => ({ 7: "Ana" })[id] ?? "?";
  const words = (changes: Partial<Quote>) => quoteWords({ ...quote, ...changes }, nameOf);
  expect(words({ excerpt: "so\n  <@7> and <@8>", mentions: [7] })).toBe("so @Ana and <@8>");
  expect(words({ attachment_name: "mix.wav" })).toBe("mix.wav");
  expect(words({ is_audio_message: true, attachment_name: "x.webm" })).toBe("Voice note");
  expect(words({ is_audio_message: true, attachment_name: "x.webm", audio_duration: 42.7 })).toBe("Voice note 0:42");
  expect(words({ deleted: true, excerpt: "" })).toBe("Deleted message");
});

test("who is writing, in words", () => {
  expect(typingWords([])).toBeNull();
  expect(typingWords(["Ana"])).toBe("Ana is writing…");
  expect(typingWords(["Ana", "Ben"])).toBe("Ana and Ben are writing…");
  expect(typingWords(["Ana", "Ben", "Cy", "Di"])).toBe("Ana, Ben and 2 more are writing…");
});

test("a day begins at midnight where the reader is; what is no day is none", () => {
  expect(startOfDay("2026-11-17")).toEqual(new Date(2026, 10, 17));
  expect(startOfDay("2026-02-30")).toBeNull();
  expect(startOfDay("")).toBeNull();
  expect(dayOf(startOfDay("2024-02-29")!)).toBe("2024-02-29");
});
