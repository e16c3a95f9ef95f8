import { describe, expect, test } from "vitest";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import { readersByMessage } from "./use-rows.ts";

describe("read markers of others", () => {
  const messages = [buildMessage(1), buildMessage(2, { account_id: 2 }), buildMessage(3, { deleted: true }), buildMessage(5)];
  const readerMark = (account_id: number, last_read_message_id: number) => ({ account_id, last_read_message_id, moved_at: "" });
  const readersFor = (readMarkers: ReturnType<typeof readerMark>[], hasMoreAfter = false) => [
    ...readersByMessage(messages, readMarkers, { accountId: 1, hasMoreAfter }),
  ];

  test("are at the last visible message, never at own messages and never the reader's own", () => {
    expect(readersFor([readerMark(3, 3), readerMark(4, 5), readerMark(5, 5)])).toEqual([
      [2, [3]],
      [5, [4, 5]],
    ]);
    expect(readersFor([readerMark(1, 5), readerMark(2, 2)])).toEqual([]);
    // Writing a message counts as reading up to it.
    expect(readersFor([readerMark(2, 1)])).toEqual([]);
  });

  test("are nowhere when their message is not loaded", () => {
    expect(readersByMessage(messages.slice(1), [readerMark(3, 1)], { accountId: 1, hasMoreAfter: false }).size).toBe(0);
    expect(readersFor([readerMark(3, 9)])).toEqual([[5, [3]]]);
    expect(readersFor([readerMark(3, 9)], true)).toEqual([]);
  });
});
