import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildAttachment } from "../files/attachment.fixture.ts";
import { buildMessage } from "./message.fixture.ts";
import {
  advanceCompleteThrough,
  appendPage,
  hasMessage,
  isMessageMissing,
  PAGE_SIZE,
  prependPage,
  setUnreadDot,
  toHistory,
  trimHistory,
  upsertMessage,
  WINDOW_SIZE,
  type History,
} from "./history.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => buildMessage(from + index));
const ids = (history: History) => history.messages.map(({ id }) => id);
const page = (from: number, to: number, before: boolean, after: boolean) => ({ data: range(from, to), has_more_before: before, has_more_after: after });

describe("pages", () => {
  test("a service without paging has only one page", () => {
    expect(toHistory({ data: range(5, 7) })).toMatchObject({ hasMoreBefore: false, hasMoreAfter: false, completeThroughId: 7 });
  });

  test("an unsorted page with a duplicate is sorted", () => {
    expect(ids(toHistory({ data: [buildMessage(3), buildMessage(1), buildMessage(3), buildMessage(2)] }))).toEqual([1, 2, 3]);
  });

  test("older and newer pages join without duplicates", () => {
    const start = toHistory(page(10, 12, true, true));
    expect(ids(prependPage(start, page(7, 10, false, true)))).toEqual([7, 8, 9, 10, 11, 12]);
    const joined = appendPage(start, page(12, 15, true, false));
    expect(ids(joined)).toEqual([10, 11, 12, 13, 14, 15]);
    expect(joined).toMatchObject({ hasMoreAfter: false, completeThroughId: 15 });
  });

  test("an empty page ends paging, whatever it claims", () => {
    expect(prependPage(toHistory(page(1, 2, true, false)), { data: [], has_more_before: true })).toMatchObject({ hasMoreBefore: false });
    expect(appendPage(toHistory(page(1, 2, true, true)), { data: [], has_more_after: true })).toMatchObject({ hasMoreAfter: false });
  });
});

describe("a message", () => {
  const end = toHistory(page(10, 12, true, false));

  test("is appended where the end is loaded, and ignored otherwise", () => {
    expect(ids(upsertMessage(end, buildMessage(13)))).toEqual([10, 11, 12, 13]);
    const middle = toHistory(page(10, 12, true, true));
    expect(upsertMessage(middle, buildMessage(13))).toBe(middle);
    expect(upsertMessage(middle, buildMessage(9))).toBe(middle);
  });

  test("is inserted in order when a later one arrives first", () => {
    expect(ids(upsertMessage(upsertMessage(end, buildMessage(14)), buildMessage(13)))).toEqual([10, 11, 12, 13, 14]);
  });

  test("is replaced by a newer revision only", () => {
    const edited = upsertMessage(end, buildMessage(11, { revision: 3, body: "third" }));
    expect(upsertMessage(edited, buildMessage(11, { revision: 2, body: "second" }))).toBe(edited);
    expect(edited.messages[1]?.body).toBe("third");
  });

  test("without revisions is replaced when its content differs", () => {
    const plain = toHistory({ data: [buildMessage(1, { revision: undefined })] });
    expect(upsertMessage(plain, buildMessage(1, { revision: undefined }))).toBe(plain);
    expect(upsertMessage(plain, buildMessage(1, { revision: undefined, body: "other" })).messages[0]?.body).toBe("other");
  });

  test("that was deleted does not return with an older event", () => {
    const deleted = upsertMessage(end, buildMessage(13, { revision: 2, deleted: true, body: "" }));
    const after = upsertMessage(deleted, buildMessage(13));
    expect(after).toBe(deleted);
    expect(hasMessage(after, 13)).toBe(false);
  });

  test("from the sender does not mark the messages before it as complete", () => {
    const sent = upsertMessage(end, buildMessage(15));
    expect(sent.completeThroughId).toBe(12);
    expect(advanceCompleteThrough(sent, 13).completeThroughId).toBe(13);
  });
});

test("a message is missing only within the loaded window", () => {
  const middle = toHistory({ data: [buildMessage(10), buildMessage(12)], has_more_before: true, has_more_after: true });
  expect([9, 10, 11, 12, 13].map((id) => isMessageMissing(middle, id))).toEqual([false, false, true, false, false]);
  expect(isMessageMissing({ ...middle, hasMoreBefore: false }, 9)).toBe(true);
  expect(isMessageMissing({ ...middle, hasMoreAfter: false }, 13)).toBe(true);
  expect(isMessageMissing(toHistory({ data: [] }), 1)).toBe(true);
});

test("trimming preserves the reader's side and records the cut", () => {
  const long = toHistory(page(1, WINDOW_SIZE + PAGE_SIZE, false, false));
  expect(trimHistory(long, "newest")).toMatchObject({ hasMoreBefore: true, hasMoreAfter: false });
  expect(trimHistory(long, "newest").messages[0]?.id).toBe(PAGE_SIZE + 1);
  const oldest = trimHistory(long, "oldest");
  expect(oldest).toMatchObject({ hasMoreBefore: false, hasMoreAfter: true, completeThroughId: WINDOW_SIZE });
  expect(upsertMessage(oldest, buildMessage(WINDOW_SIZE + PAGE_SIZE + 1))).toBe(oldest);
  const short = toHistory(page(1, 5, false, false));
  expect(trimHistory(short, "newest")).toBe(short);
});

test("messages, revisions and duplicates in any order end in the same history", () => {
  const messageArbitrary = fc.record({ id: fc.integer({ min: 1, max: 30 }), revision: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(fc.array(messageArbitrary, { maxLength: 60 }), fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), (records, lots) => {
      const start = toHistory(page(1, 8, false, false));
      const messages = records.map(({ id, revision }) => buildMessage(id, { revision, body: `${id}@${revision}` }));
      const shuffled = messages
        .map((one, index) => ({ one, lot: lots[index]! }))
        .toSorted((a, b) => a.lot - b.lot)
        .map(({ one }) => one);
      const upsertAll = (all: typeof messages) => all.reduce(upsertMessage, start);
      expect(upsertAll([...shuffled, ...messages])).toEqual(upsertAll(messages));
      const result = ids(upsertAll(shuffled));
      expect(result).toEqual([...new Set(result)].toSorted((a, b) => a - b));
    }),
  );
});

test("a restored message has its unread dots again, but not that of a file whose comments were read meanwhile", () => {
  const attachments = [7, 8, 9].map((id) => buildAttachment(id));
  const loaded = buildMessage(1, { revision: 1, attachments: attachments.map((attachment) => ({ ...attachment, has_unread_comments: attachment.id !== 9 })) });
  const deleted = upsertMessage(toHistory({ data: [loaded] }), buildMessage(1, { revision: 2, deleted: true, body: "", attachments: [] }));
  const read = setUnreadDot(setUnreadDot(deleted, 8, false), 5, true);
  const dots = (history: History) => history.messages[0]!.attachments.map(({ id, has_unread_comments }) => [id, has_unread_comments]);
  const restored = upsertMessage(read, buildMessage(1, { revision: 3, attachments }));
  expect([dots(deleted), dots(restored)]).toEqual([
    [],
    [
      [7, true],
      [8, false],
      [9, false],
    ],
  ]);
  expect(restored.messages[0]).not.toHaveProperty("hidden_unread_file_ids");
  expect(setUnreadDot(restored, 9, false)).toBe(restored);
});
