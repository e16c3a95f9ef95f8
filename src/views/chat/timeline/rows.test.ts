import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";
import { buildRows, indexOfMessage, rowDatetime, indexOfNearestMessage, type Row, type RowsInput } from "./rows.ts";

const createEntry = (clientId: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  clientId,
  projectId: 1,
  accountId: 1,
  body: clientId,
  uploads: [],
  quote: null,
  order: 1,
  isPersisted: true,
  writtenAt: Date.UTC(2026, 10, 17, 9, 30),
  state: "waiting",
  isDelayed: false,
  error: null,
  afterId: null,
  ...changes,
});
const build = (changes: Partial<RowsInput>) =>
  buildRows({ messages: [], hasMoreBefore: false, hasMoreAfter: false, entries: [], unreadAfter: null, accountId: 1, ...changes });
/** Abbreviates rows: "day", "new", "12" (message), "12+" (grouped), "a?" (pending), "12x" (deleted), "12u" (restorable), "(day)" (empty). */
const summarize = (rows: readonly Row[]) =>
  rows
    .map((row) => {
      if (row.kind === "day") return row.isEmpty ? "(day)" : "day";
      if (row.kind === "unread") return row.isEmpty ? "(new)" : "new";
      if (row.kind === "placeholder") return "-";
      if (row.kind === "hidden") return `${row.message.id}x`;
      if (row.kind === "deleted") return `${row.message.id}u`;
      const name = row.kind === "message" ? `${row.message.id}` : `${row.entry.clientId}?`;
      return row.isGrouped ? `${name}+` : name;
    })
    .join(" ");
/** Returns a time `minutes` after nine o'clock. */
const timeAt = (minutes: number) => new Date(2026, 10, 17, 9, minutes).toISOString();

describe("rows", () => {
  test("days separate the messages, and messages of one author are grouped for five minutes", () => {
    const messages = [
      buildMessage(1, { datetime: timeAt(0) }),
      buildMessage(2, { datetime: timeAt(4) }),
      buildMessage(3, { datetime: timeAt(10) }),
      buildMessage(4, { datetime: timeAt(11), account_id: 2 }),
      buildMessage(5, { datetime: new Date(2026, 10, 18, 0, 1).toISOString(), account_id: 2 }),
    ];
    expect(summarize(build({ messages }))).toBe("day 1 2+ 3 4 day 5");
  });

  test("deleted messages are hidden and split no group", () => {
    const messages = [
      buildMessage(1, { datetime: timeAt(0) }),
      buildMessage(2, { datetime: timeAt(1), deleted: true, account_id: 2 }),
      buildMessage(3, { datetime: timeAt(2) }),
    ];
    expect(summarize(build({ messages }))).toBe("day 1 2x 3+");
    expect(summarize(build({ messages, undoableDeletions: new Set([2]) }))).toBe("day 1 2u 3+");
    expect(summarize(build({ messages, activeEdits: new Set([2]) }))).toBe("day 1 2 3");
  });

  test("deleting never changes the number of rows: headers without messages below them stay as hidden rows", () => {
    const night = new Date(2026, 10, 18, 0, 1).toISOString();
    const messages = [
      buildMessage(1, { datetime: timeAt(0) }),
      buildMessage(2, { datetime: timeAt(8) }),
      buildMessage(3, { datetime: night }),
      buildMessage(4, { datetime: night }),
    ];
    const summarizeDeleted = (...ids: number[]) =>
      summarize(build({ messages: messages.map((message) => ({ ...message, deleted: ids.includes(message.id) })), unreadAfter: 2, accountId: 9 }));
    expect(summarizeDeleted()).toBe("day 1 2 day new 3 4+");
    expect(summarizeDeleted(1)).toBe("day 1x 2 day new 3 4+");
    expect(summarizeDeleted(1, 2)).toBe("(day) 1x 2x day new 3 4+");
    expect(summarizeDeleted(3)).toBe("day 1 2 day new 3x 4");
    expect(summarizeDeleted(3, 4)).toBe("day 1 2 (day) (new) 3x 4x");
  });

  test("marking a message as unread shows the line above it, even above the reader's own message", () => {
    const messages = [buildMessage(1), buildMessage(2), buildMessage(3)];
    expect(summarize(build({ messages, unreadAfter: 1 }))).toBe("day 1 2+ 3+");
    expect(summarize(build({ messages, unreadAfter: 1, isManuallyUnread: true }))).toBe("day 1 new 2 3+");
  });

  test("the unread line is above the first unread message of another account", () => {
    const messages = [buildMessage(1, { account_id: 2 }), buildMessage(2), buildMessage(3, { account_id: 2 }), buildMessage(4, { account_id: 2 })];
    expect(summarize(build({ messages, unreadAfter: 2 }))).toBe("day 1 2 new 3 4+");
    expect(summarize(build({ messages, unreadAfter: 0 }))).toBe("day new 1 2 3 4+");
    expect(summarize(build({ messages, unreadAfter: 4 }))).toBe("day 1 2 3 4+");
  });

  test("after the reader's own reply there is no unread line", () => {
    const messages = [buildMessage(1, { account_id: 2 }), buildMessage(2), buildMessage(3, { account_id: 2 })];
    expect(summarize(build({ messages, unreadAfter: 1 }))).toBe("day 1 2 3");
  });

  test("there is no unread line when the last read message is on an older page", () => {
    const messages = [buildMessage(10), buildMessage(11, { account_id: 2 }), buildMessage(12, { account_id: 2 })];
    expect(summarize(build({ messages, unreadAfter: 5, hasMoreBefore: true }))).toBe("11 12+");
  });

  test("pending messages are at the end, in the order written, grouped with their author", () => {
    const messages = [buildMessage(1, { datetime: new Date(Date.UTC(2026, 10, 17, 9, 29)).toISOString() })];
    expect(summarize(build({ messages, entries: [createEntry("a"), createEntry("b")] }))).toBe("day 1 a?+ b?+");
    expect(summarize(build({ messages, entries: [createEntry("a")], hasMoreAfter: true }))).toBe("day 1");
  });

  test("a stored message uses the row of its pending entry", () => {
    const messages = [buildMessage(1, { account_id: 2 })];
    const pendingRows = build({ messages, entries: [createEntry("a")] });
    const arrivedRows = build({ messages: [...messages, buildMessage(2, { client_id: "a" })], entries: [createEntry("a", { state: "sending" })] });
    expect(summarize(arrivedRows)).toBe("day 1 2");
    expect(arrivedRows.map(({ key }) => key)).toEqual(pendingRows.map(({ key }) => key));
  });

  test("another account's client_id never hides the reader's own message", () => {
    const messages = [buildMessage(1, { account_id: 2, client_id: "a" })];
    expect(summarize(build({ messages, entries: [createEntry("a")] }))).toBe("day 1 a?");
  });

  test("failed messages retain their position and order", () => {
    const failedEntry = (clientId: string, afterId: number | null) => createEntry(clientId, { state: "failed", afterId });
    const messages = [1, 2, 3].map((id) => buildMessage(id, { account_id: 2, datetime: timeAt(id * 10) }));
    expect(summarize(build({ messages, entries: [failedEntry("a", 1), failedEntry("b", 1), failedEntry("c", null), createEntry("d")] }))).toBe(
      "day 1 a? b?+ 2 3 c? d?+",
    );
    expect(summarize(build({ messages: [], entries: [failedEntry("a", 7)] }))).toBe("day a?");
    // The first message of a chat was rejected, and others were sent after it.
    expect(summarize(build({ messages, entries: [failedEntry("a", 0), failedEntry("b", 0)] }))).toBe("day a? b?+ 1 2 3");
    expect(summarize(build({ messages, hasMoreBefore: true, entries: [failedEntry("a", 0)] }))).not.toContain("a?");
  });

  test("the row of a message is found, even of a deleted one", () => {
    const rows = build({ messages: [buildMessage(1), buildMessage(4), buildMessage(9)] });
    expect(indexOfMessage(rows, 4)).toBe(2);
    expect(indexOfMessage(rows, 5)).toBe(-1);
    expect(indexOfNearestMessage(rows, 5)).toBe(3);
    expect(indexOfNearestMessage(rows, 99)).toBe(rows.length - 1);
    expect(rowDatetime(rows[0])).toBe(buildMessage(1).datetime);
    expect(rowDatetime(undefined)).toBeNull();
  });
});

const chatArbitrary = fc
  .array(fc.record({ author: fc.integer({ min: 1, max: 3 }), gap: fc.constantFrom(0, 1, 3, 6, 60, 1_500), deleted: fc.boolean(), backwards: fc.boolean() }), {
    minLength: 2,
    maxLength: 60,
  })
  .map((steps) => {
    let minutes = 0;
    return steps.map(({ author, gap, deleted, backwards }, index): Message => {
      minutes += backwards ? -gap : gap;
      return buildMessage(index + 1, { account_id: author, datetime: timeAt(minutes), deleted: deleted && index % 3 === 0 });
    });
  });

test("an older page only adds rows at the start and changes none that is shown", () => {
  fc.assert(
    fc.property(chatArbitrary, fc.nat(), fc.nat(), fc.option(fc.nat({ max: 60 })), (messages, cut, start, unreadAfter) => {
      const from = 1 + (cut % (messages.length - 1));
      const older = start % from;
      const input = { unreadAfter, hasMoreAfter: false };
      const currentRows = build({ ...input, messages: messages.slice(from), hasMoreBefore: true });
      const nextRows = build({ ...input, messages: messages.slice(older), hasMoreBefore: older > 0 });
      const tail = currentRows.length > 0 ? nextRows.slice(-currentRows.length) : [];
      expect(tail).toEqual(currentRows);
    }),
  );
});

test("row keys are unique", () => {
  fc.assert(
    fc.property(chatArbitrary, fc.option(fc.nat({ max: 60 })), (messages, unreadAfter) => {
      const rows = build({ messages, unreadAfter, entries: [createEntry("a"), createEntry("b", { state: "failed", afterId: 3 })] });
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    }),
  );
});
