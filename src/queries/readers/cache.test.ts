import { expect, test } from "vitest";
import { withReaderMark } from "./cache.ts";

const mark = (account_id: number, last_read_message_id: number) => ({ account_id, last_read_message_id, moved_at: "2026-11-17T09:00:00.000Z" });

test("a mark moves forward only, and a new reader joins", () => {
  const marks = [mark(2, 10), mark(3, 4)];
  expect(withReaderMark(marks, mark(3, 9))).toEqual([mark(2, 10), mark(3, 9)]);
  expect(withReaderMark(marks, mark(2, 7))).toBe(marks);
  expect(withReaderMark(marks, mark(4, 1))).toHaveLength(3);
  expect(withReaderMark(undefined, mark(4, 1))).toBeUndefined();
});
