import { describe, expect, test } from "vitest";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import { readersByMessage } from "./use-rows.ts";

describe("read markers", () => {
  const messages = [buildMessage(1), buildMessage(2, { account_id: 2 }), buildMessage(3, { deleted: true }), buildMessage(5)];
  const readMarker = (account_id: number, last_read_message_id: number) => ({ account_id, last_read_message_id, moved_at: "" });
  const readersFor = (readMarkers: ReturnType<typeof readMarker>[], hasMoreAfter = false) => [
    ...readersByMessage(messages, readMarkers, { accountId: 1, hasMoreAfter }),
  ];

  test("are at the last visible message, never at a message of the marker's account, and without the reader's own marker", () => {
    expect(readersFor([readMarker(3, 3), readMarker(4, 5), readMarker(5, 5)])).toEqual([
      [2, [3]],
      [5, [4, 5]],
    ]);
    expect(readersFor([readMarker(1, 5), readMarker(2, 2)])).toEqual([]);
    // Writing a message counts as reading up to it.
    expect(readersFor([readMarker(2, 1)])).toEqual([]);
  });

  test("are nowhere when their message is not loaded", () => {
    expect(readersByMessage(messages.slice(1), [readMarker(3, 1)], { accountId: 1, hasMoreAfter: false }).size).toBe(0);
    expect(readersFor([readMarker(3, 9)])).toEqual([[5, [3]]]);
    expect(readersFor([readMarker(3, 9)], true)).toEqual([]);
  });
});
