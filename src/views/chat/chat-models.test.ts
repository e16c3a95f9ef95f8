import { describe, expect, test } from "vitest";
import type { Quote } from "../../../contract/records.ts";
import { buildMessage, sharedComment } from "../../queries/messages/message.fixture.ts";
import { formatTyping } from "./composer/TypingIndicator.tsx";
import { formatQuote } from "./message/QuoteLine.tsx";
import { canDeleteMessage, canEditMessage } from "./message/use-message-actions.ts";
import { toDateInput, startOfDay } from "./search/search-state.ts";
import { readersByMessage } from "./timeline/use-rows.ts";

describe("read marks", () => {
  const messages = [buildMessage(1), buildMessage(2, { account_id: 2 }), buildMessage(3, { deleted: true }), buildMessage(5)];
  const readerMark = (account_id: number, last_read_message_id: number) => ({ account_id, last_read_message_id, moved_at: "" });
  const readersFor = (readerMarks: ReturnType<typeof readerMark>[], hasMoreAfter = false) => [
    ...readersByMessage(messages, readerMarks, { accountId: 1, hasMoreAfter }),
  ];

  test("stand at the last message that still shows, never at one's own or at the reader's", () => {
    expect(readersFor([readerMark(3, 3), readerMark(4, 5), readerMark(5, 5)])).toEqual([
      [2, [3]],
      [5, [4, 5]],
    ]);
    expect(readersFor([readerMark(1, 5), readerMark(2, 2)])).toEqual([]);
    // Writing a message counts as reading up to it.
    expect(readersFor([readerMark(2, 1)])).toEqual([]);
  });

  test("stand nowhere where it is not loaded", () => {
    expect(readersByMessage(messages.slice(1), [readerMark(3, 1)], { accountId: 1, hasMoreAfter: false }).size).toBe(0);
    expect(readersFor([readerMark(3, 9)])).toEqual([[5, [3]]]);
    expect(readersFor([readerMark(3, 9)], true)).toEqual([]);
  });
});

test("only the writer edits; the writer and who manages delete; what is deleted can be neither", () => {
  const ownMessage = buildMessage(1);
  const member = { accountId: 2, canManage: false };
  expect([canEditMessage(ownMessage, { accountId: 1, canManage: false }), canDeleteMessage(ownMessage, { accountId: 1, canManage: false })]).toEqual([
    true,
    true,
  ]);
  expect([canEditMessage(ownMessage, member), canDeleteMessage(ownMessage, member)]).toEqual([false, false]);
  expect([canEditMessage(ownMessage, { ...member, canManage: true }), canDeleteMessage(ownMessage, { ...member, canManage: true })]).toEqual([false, true]);
  const deletedMessage = buildMessage(1, { deleted: true });
  expect([canEditMessage(deletedMessage, { accountId: 1, canManage: true }), canDeleteMessage(deletedMessage, { accountId: 1, canManage: true })]).toEqual([
    false,
    false,
  ]);
  const commentMessage = buildMessage(1, { comment: sharedComment });
  expect([canEditMessage(commentMessage, { accountId: 1, canManage: false }), canDeleteMessage(commentMessage, { accountId: 1, canManage: false })]).toEqual([
    false,
    true,
  ]);
});

test("a quote says what was said, else what it was", () => {
  const quote: Quote = { id: 1, account_id: 2, excerpt: "", mentions: [], deleted: false, is_audio_message: false, attachment_name: null };
  const nameOf = (id: number) => ({ 7: "Ana" })[id] ?? "?";
  const format = (changes: Partial<Quote>) => formatQuote({ ...quote, ...changes }, nameOf);
  expect(format({ excerpt: "so\n  <@7> and <@8>", mentions: [7] })).toBe("so @Ana and <@8>");
  expect(format({ attachment_name: "mix.wav" })).toBe("mix.wav");
  expect(format({ is_audio_message: true, attachment_name: "x.webm" })).toBe("Voice note");
  expect(format({ is_audio_message: true, attachment_name: "x.webm", audio_duration: 42.7 })).toBe("Voice note 0:42");
  expect(format({ deleted: true, excerpt: "" })).toBe("Deleted message");
});

test("who is writing, in words", () => {
  expect(formatTyping([])).toBeNull();
  expect(formatTyping(["Ana"])).toBe("Ana is typing…");
  expect(formatTyping(["Ana", "Ben"])).toBe("Ana and Ben are typing…");
  expect(formatTyping(["Ana", "Ben", "Cy", "Di"])).toBe("Ana, Ben and 2 more are typing…");
});

test("a day begins at midnight where the reader is; what is no day is none", () => {
  expect(startOfDay("2026-11-17")).toEqual(new Date(2026, 10, 17));
  expect(startOfDay("2026-02-30")).toBeNull();
  expect(startOfDay("")).toBeNull();
  expect(toDateInput(startOfDay("2024-02-29")!)).toBe("2024-02-29");
});
