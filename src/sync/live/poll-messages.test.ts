import { describe, expect, test } from "vitest";
import { toHistory } from "../../queries/messages/history.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { mergeTail } from "./poll-messages.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => buildMessage(from + index));
const end = toHistory({ data: range(1, 5), has_more_before: false, has_more_after: false });

describe("a poll", () => {
  test("without new messages returns the same history", () => {
    expect(mergeTail(end, { data: [], has_more_after: false }, 5)).toBe(end);
    expect(mergeTail(end, { data: range(4, 5), has_more_after: false }, 3)).toBe(end);
  });

  test("appends new messages, and records when there are more", () => {
    expect(mergeTail(end, { data: range(6, 7), has_more_after: false }, 5).messages).toHaveLength(7);
    expect(mergeTail(end, { data: range(6, 7), has_more_after: true }, 5)).toMatchObject({ hasMoreAfter: true, completeThroughId: 7 });
  });

  test("of a service without paging joins its newest page where it overlaps, including an edit", () => {
    const plain = mergeTail(end, { data: [buildMessage(5, { revision: 2, body: "edited" }), buildMessage(6)] }, 5);
    expect(plain.messages.map(({ body }) => body).slice(-2)).toEqual(["edited", "message 6"]);
  });

  test("that starts after a gap marks the end as not loaded", () => {
    expect(mergeTail(end, { data: range(9, 10) }, 5)).toMatchObject({ hasMoreAfter: true, messages: end.messages });
  });

  test("is ignored by a history whose end is not loaded, or that already has later messages", () => {
    const middle = { ...end, hasMoreAfter: true };
    expect(mergeTail(middle, { data: range(6, 7), has_more_after: false }, 5)).toBe(middle);
    expect(mergeTail(end, { data: range(9, 10), has_more_after: false }, 8)).toBe(end);
  });
});
