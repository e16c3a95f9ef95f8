import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox.ts";
import { buildRows, indexOfMessage, rowDatetime, indexOfNearestMessage, type Row, type RowsInput } from "./rows.ts";
import { insertPlaceholders, planCommit } from "./use-virtualizer-shift.ts";

const createEntry = (clientId: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  clientId,
  projectId: 1,
  accountId: 1,
  body: clientId,
  uploads: [],
  quote: null,
  order: 1,
  kept: true,
  writtenAt: Date.UTC(2026, 10, 17, 9, 30),
  state: "waiting",
  delayed: false,
  fault: null,
  afterId: null,
  ...changes,
});
const build = (changes: Partial<RowsInput>) =>
  buildRows({ messages: [], hasMoreBefore: false, hasMoreAfter: false, entries: [], unreadAfter: null, accountId: 1, ...changes });
/** "day", "new", "12" (message), "12+" (grouped), "a?" (pending), "12x" (deleted), "12u" (restorable), "(day)" (hidden) */
const summarize = (rows: readonly Row[]) =>
  rows
    .map((row) => {
      if (row.kind === "day") return row.empty ? "(day)" : "day";
      if (row.kind === "unread") return row.empty ? "(new)" : "new";
      if (row.kind === "left") return "-";
      if (row.kind === "gone") return `${row.message.id}x`;
      if (row.kind === "deleted") return `${row.message.id}u`;
      const name = row.kind === "message" ? `${row.message.id}` : `${row.entry.clientId}?`;
      return row.grouped ? `${name}+` : name;
    })
    .join(" ");
/** Returns a time `minutes` after nine o'clock. */
const timeAt = (minutes: number) => new Date(2026, 10, 17, 9, minutes).toISOString();

describe("rows", () => {
  test("days part the messages, blocks of one author hold together for five minutes", () => {
    const messages = [
      buildMessage(1, { datetime: timeAt(0) }),
      buildMessage(2, { datetime: timeAt(4) }),
      buildMessage(3, { datetime: timeAt(10) }),
      buildMessage(4, { datetime: timeAt(11), account_id: 2 }),
      buildMessage(5, { datetime: new Date(2026, 10, 18, 0, 1).toISOString(), account_id: 2 }),
    ];
    expect(summarize(build({ messages }))).toBe("day 1 2+ 3 4 day 5");
  });

  test("deleted messages are not shown and part no block", () => {
    const messages = [
      buildMessage(1, { datetime: timeAt(0) }),
      buildMessage(2, { datetime: timeAt(1), deleted: true, account_id: 2 }),
      buildMessage(3, { datetime: timeAt(2) }),
    ];
    expect(summarize(build({ messages }))).toBe("day 1 2x 3+");
    expect(summarize(build({ messages, undoableDeletions: new Set([2]) }))).toBe("day 1 2u 3+");
    expect(summarize(build({ messages, activeEdits: new Set([2]) }))).toBe("day 1 2 3");
  });

  test("deleting changes the number of rows never: headers that have nothing left below them stay without showing", () => {
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

  test("who marks a message as unread gets the line above it, also above their own", () => {
    const messages = [buildMessage(1), buildMessage(2), buildMessage(3)];
    expect(summarize(build({ messages, unreadAfter: 1 }))).toBe("day 1 2+ 3+");
    expect(summarize(build({ messages, unreadAfter: 1, isManuallyUnread: true }))).toBe("day 1 new 2 3+");
  });

  test("the line stands above the first unread message of somebody else", () => {
    const messages = [buildMessage(1, { account_id: 2 }), buildMessage(2), buildMessage(3, { account_id: 2 }), buildMessage(4, { account_id: 2 })];
    expect(summarize(build({ messages, unreadAfter: 2 }))).toBe("day 1 2 new 3 4+");
    expect(summarize(build({ messages, unreadAfter: 0 }))).toBe("day new 1 2 3 4+");
    expect(summarize(build({ messages, unreadAfter: 4 }))).toBe("day 1 2 3 4+");
  });

  test("there is no line above one's own answer, nor further down", () => {
    const messages = [buildMessage(1, { account_id: 2 }), buildMessage(2), buildMessage(3, { account_id: 2 })];
    expect(summarize(build({ messages, unreadAfter: 1 }))).toBe("day 1 2 3");
  });

  test("there is no line where what was read last lies in an older page", () => {
    const messages = [buildMessage(10), buildMessage(11, { account_id: 2 }), buildMessage(12, { account_id: 2 })];
    expect(summarize(build({ messages, unreadAfter: 5, hasMoreBefore: true }))).toBe("11 12+");
  });

  test("waiting messages stand at the end, in the order they were written, under their author", () => {
    const messages = [buildMessage(1, { datetime: new Date(Date.UTC(2026, 10, 17, 9, 29)).toISOString() })];
    expect(summarize(build({ messages, entries: [createEntry("a"), createEntry("b")] }))).toBe("day 1 a?+ b?+");
    expect(summarize(build({ messages, entries: [createEntry("a")], hasMoreAfter: true }))).toBe("day 1");
  });

  test("a message that has arrived takes the row of the one that waited", () => {
    const messages = [buildMessage(1, { account_id: 2 })];
    const pendingRows = build({ messages, entries: [createEntry("a")] });
    const arrivedRows = build({ messages: [...messages, buildMessage(2, { client_id: "a" })], entries: [createEntry("a", { state: "sending" })] });
    expect(summarize(arrivedRows)).toBe("day 1 2");
    expect(arrivedRows.map(({ key }) => key)).toEqual(pendingRows.map(({ key }) => key));
  });

  test("somebody else's client_id never hides a message of mine", () => {
    const messages = [buildMessage(1, { account_id: 2, client_id: "a" })];
    expect(summarize(build({ messages, entries: [createEntry("a")] }))).toBe("day 1 a?");
  });

  test("failed messages keep their place and their order", () => {
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

  test("places are found, also of messages that are gone", () => {
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

test("an older page only puts rows in front, whatever it brings: nothing that is shown changes", () => {
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

test("no two rows share a key", () => {
  fc.assert(
    fc.property(chatArbitrary, fc.option(fc.nat({ max: 60 })), (messages, unreadAfter) => {
      const rows = build({ messages, unreadAfter, entries: [createEntry("a"), createEntry("b", { state: "failed", afterId: 3 })] });
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    }),
  );
});

describe("stageRows", () => {
  const keyed = (...keys: string[]) => keys.map((key) => ({ key }));

  test("changes at one end need one commit; only the start shifts", () => {
    expect(planCommit(keyed("c", "d"), keyed("a", "b", "c", "d"))).toMatchObject({ shift: true, done: true });
    expect(planCommit(keyed("a", "b", "c"), keyed("b", "c"))).toMatchObject({ shift: true, done: true });
    expect(planCommit(keyed("a"), keyed("a", "b"))).toMatchObject({ shift: false, done: true });
    expect(planCommit([], keyed("a"))).toMatchObject({ shift: false, done: true });
    expect(planCommit(keyed("a"), keyed("x", "y"))).toMatchObject({ shift: false, done: true });
  });

  test("any change arrives within two commits, and a shifting one changes nothing but the start", () => {
    const allRows = Array.from({ length: 40 }, (_, index) => ({ key: `${index}` }));
    const window = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })).map(([a, b]) => allRows.slice(Math.min(a, b), Math.max(a, b)));
    fc.assert(
      fc.property(window, window, (currentRows, nextRows) => {
        let current = currentRows;
        for (let commit = 0; commit < 2; commit += 1) {
          const plan = planCommit(current, nextRows);
          if (plan.shift) {
            const longer = plan.rows.length > current.length ? plan.rows : current;
            const shorter = longer === current ? plan.rows : current;
            expect(longer.slice(-shorter.length)).toEqual(shorter);
          }
          current = [...plan.rows];
          if (plan.done) break;
        }
        expect(current).toEqual(nextRows);
      }),
    );
  });
});

describe("holdPlaces", () => {
  const keyed = (...keys: string[]) => keys.map((key) => ({ key }));
  const createPlaceholder = (key: string) => ({ key });

  test("what leaves from between two that stay keeps its place", () => {
    expect(insertPlaceholders(keyed("a", "line b", "b", "c"), keyed("a", "b", "line c", "c"), createPlaceholder)).toEqual(
      keyed("a", "left:line b", "b", "line c", "c"),
    );
    expect(insertPlaceholders(keyed("a", "left:x", "b"), keyed("a", "b", "c"), createPlaceholder)).toEqual(keyed("a", "left:x", "b", "c"));
  });

  test("what leaves at an end is gone, and what stays whole is the same list", () => {
    expect(insertPlaceholders(keyed("a", "b", "c"), keyed("b"), createPlaceholder)).toEqual(keyed("b"));
    const nextRows = keyed("0", "a", "b", "x");
    expect(insertPlaceholders(keyed("a", "b"), nextRows, createPlaceholder)).toBe(nextRows);
    expect(insertPlaceholders(keyed("a", "b"), keyed("x", "y"), createPlaceholder)).toEqual(keyed("x", "y"));
  });

  test("rows that stay never get another number by what leaves", () => {
    const allRows = Array.from({ length: 30 }, (_, index) => ({ key: `${index}` }));
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (isKept) => {
        const nextRows = allRows.filter((_, index) => isKept[index]);
        const first = isKept.indexOf(true);
        for (const [index, row] of insertPlaceholders(allRows, nextRows, createPlaceholder).entries())
          if (!row.key.startsWith("left:")) expect(Number(row.key)).toBe(index + first);
      }),
    );
  });
});
