import { describe, expect, test } from "vitest";
import { toHistory } from "../../queries/messages/history.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { mergeTail } from "./poll-messages.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => buildMessage(from + index));
const end = toHistory({ data: range(1, 5), has_more_before: false, has_more_after: false });

describe("what a poll brings", () => {
  test("nothing new leaves the stretch as it is", () => {
    expect(mergeTail(end, { data: [], has_more_after: false }, 5)).toBe(end);
    expect(mergeTail(end, { data: range(4, 5), has_more_after: false }, 3)).toBe(end);
  });

  test("new messages join, and more of them are fetched later", () => {
    expect(mergeTail(end, { data: range(6, 7), has_more_after: false }, 5).messages).toHaveLength(7);
    expect(mergeTail(end, { data: range(6, 7), has_more_after: true }, 5)).toMatchObject({ hasMoreAfter: true, completeThroughId: 7 });
  });

  test("a service without paging answers its newest page: it joins where it overlaps, and an edit in it counts", () => {
    const plain = mergeTail(end, { data: [buildMessage(5, { revision: 2, body: "edited" }), buildMessage(6)] }, 5);
    expect(plain.messages.map(({ body }) => body).slice(-2)).toEqual(["edited", "message 6"]);
  });

  test("where that page begins above what is known, the stretch no longer reaches the end", () => {
    expect(mergeTail(end, { data: range(9, 10) }, 5)).toMatchObject({ hasMoreAfter: true, messages: end.messages });
  });

  test("a stretch that does not reach the end, or that asked for later messages, is left alone", () => {
    const middle = { ...end, hasMoreAfter: true };
    expect(mergeTail(middle, { data: range(6, 7), has_more_after: false }, 5)).toBe(middle);
    expect(mergeTail(end, { data: range(9, 10), has_more_after: false }, 8)).toBe(end);
  });
});
