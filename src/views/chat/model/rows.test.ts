import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { messageOf } from "../../../queries/messages/message.fixture.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { buildRows, indexOfMessage, momentOf, nearestMessage, type Row, type RowsInput } from "./rows.ts";
import { holdPlaces, stageRows } from "./stage-rows.ts";

const entryOf = (clientId: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
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
/** "day", "new", "12" (message), "12+" (under the same author), "a?" (waiting), "12x" (gone), "12u" (can be brought back), "(day)" (does not show) */
const short = (rows: readonly Row[]) =>
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
/** Minutes after nine. */
const at = (minutes: number) => new Date(2026, 10, 17, 9, minutes).toISOString();

describe("rows", () => {
  test("days part the messages, blocks of one author hold together for five minutes", () => {
    const messages = [
      messageOf(1, { datetime: at(0) }),
      messageOf(2, { datetime: at(4) }),
      messageOf(3, { datetime: at(10) }),
      messageOf(4, { datetime: at(11), account_id: 2 }),
      messageOf(5, { datetime: new Date(2026, 10, 18, 0, 1).toISOString(), account_id: 2 }),
    ];
    expect(short(build({ messages }))).toBe("day 1 2+ 3 4 day 5");
  });

  test("deleted messages are not shown and part no block", () => {
    const messages = [messageOf(1, { datetime: at(0) }), messageOf(2, { datetime: at(1), deleted: true, account_id: 2 }), messageOf(3, { datetime: at(2) })];
    expect(short(build({ messages }))).toBe("day 1 2x 3+");
    expect(short(build({ messages, deletedHere: new Set([2]) }))).toBe("day 1 2u 3+");
    expect(short(build({ messages, edited: new Set([2]) }))).toBe("day 1 2 3");
  });

  test("deleting changes the number of rows never: headers that have nothing left below them stay without showing", () => {
    const night = new Date(2026, 10, 18, 0, 1).toISOString();
    const messages = [
      messageOf(1, { datetime: at(0) }),
      messageOf(2, { datetime: at(8) }),
      messageOf(3, { datetime: night }),
      messageOf(4, { datetime: night }),
    ];
    const deleted = (...ids: number[]) =>
      short(build({ messages: messages.map((one) => ({ ...one, deleted: ids.includes(one.id) })), unreadAfter: 2, accountId: 9 }));
    expect(deleted()).toBe("day 1 2 day new 3 4+");
    expect(deleted(1)).toBe("day 1x 2 day new 3 4+");
    expect(deleted(1, 2)).toBe("(day) 1x 2x day new 3 4+");
    expect(deleted(3)).toBe("day 1 2 day new 3x 4");
    expect(deleted(3, 4)).toBe("day 1 2 (day) (new) 3x 4x");
  });

  test("who marks a message as unread gets the line above it, also above their own", () => {
    const messages = [messageOf(1), messageOf(2), messageOf(3)];
    expect(short(build({ messages, unreadAfter: 1 }))).toBe("day 1 2+ 3+");
    expect(short(build({ messages, unreadAfter: 1, unreadByHand: true }))).toBe("day 1 new 2 3+");
  });

  test("the line stands above the first unread message of somebody else", () => {
    const messages = [messageOf(1, { account_id: 2 }), messageOf(2), messageOf(3, { account_id: 2 }), messageOf(4, { account_id: 2 })];
    expect(short(build({ messages, unreadAfter: 2 }))).toBe("day 1 2 new 3 4+");
    expect(short(build({ messages, unreadAfter: 0 }))).toBe("day new 1 2 3 4+");
    expect(short(build({ messages, unreadAfter: 4 }))).toBe("day 1 2 3 4+");
  });

  test("there is no line above one's own answer, nor further down", () => {
    const messages = [messageOf(1, { account_id: 2 }), messageOf(2), messageOf(3, { account_id: 2 })];
    expect(short(build({ messages, unreadAfter: 1 }))).toBe("day 1 2 3");
  });

  test("there is no line where what was read last lies in an older page", () => {
    const messages = [messageOf(10), messageOf(11, { account_id: 2 }), messageOf(12, { account_id: 2 })];
    expect(short(build({ messages, unreadAfter: 5, hasMoreBefore: true }))).toBe("11 12+");
  });

  test("waiting messages stand at the end, in the order they were written, under their author", () => {
    const messages = [messageOf(1, { datetime: new Date(Date.UTC(2026, 10, 17, 9, 29)).toISOString() })];
    expect(short(build({ messages, entries: [entryOf("a"), entryOf("b")] }))).toBe("day 1 a?+ b?+");
    expect(short(build({ messages, entries: [entryOf("a")], hasMoreAfter: true }))).toBe("day 1");
  });

  test("a message that has arrived takes the row of the one that waited", () => {
    const messages = [messageOf(1, { account_id: 2 })];
    const waiting = build({ messages, entries: [entryOf("a")] });
    const arrived = build({ messages: [...messages, messageOf(2, { client_id: "a" })], entries: [entryOf("a", { state: "sending" })] });
    expect(short(arrived)).toBe("day 1 2");
    expect(arrived.map(({ key }) => key)).toEqual(waiting.map(({ key }) => key));
  });

  test("somebody else's client_id never hides a message of mine", () => {
    const messages = [messageOf(1, { account_id: 2, client_id: "a" })];
    expect(short(build({ messages, entries: [entryOf("a")] }))).toBe("day 1 a?");
  });

  test("failed messages keep their place and their order", () => {
    const failed = (clientId: string, afterId: number | null) => entryOf(clientId, { state: "failed", afterId });
    const messages = [1, 2, 3].map((id) => messageOf(id, { account_id: 2, datetime: at(id * 10) }));
    expect(short(build({ messages, entries: [failed("a", 1), failed("b", 1), failed("c", null), entryOf("d")] }))).toBe("day 1 a? b?+ 2 3 c? d?+");
    expect(short(build({ messages: [], entries: [failed("a", 7)] }))).toBe("day a?");
    // The first message of a chat was refused, and others came after it.
    expect(short(build({ messages, entries: [failed("a", 0), failed("b", 0)] }))).toBe("day a? b?+ 1 2 3");
    expect(short(build({ messages, hasMoreBefore: true, entries: [failed("a", 0)] }))).not.toContain("a?");
  });

  test("places are found, also of messages that are gone", () => {
    const rows = build({ messages: [messageOf(1), messageOf(4), messageOf(9)] });
    expect(indexOfMessage(rows, 4)).toBe(2);
    expect(indexOfMessage(rows, 5)).toBe(-1);
    expect(nearestMessage(rows, 5)).toBe(3);
    expect(nearestMessage(rows, 99)).toBe(rows.length - 1);
    expect(momentOf(rows[0])).toBe(messageOf(1).datetime);
    expect(momentOf(undefined)).toBeNull();
  });
});

const chat = fc
  .array(fc.record({ author: fc.integer({ min: 1, max: 3 }), gap: fc.constantFrom(0, 1, 3, 6, 60, 1_500), deleted: fc.boolean(), backwards: fc.boolean() }), {
    minLength: 2,
    maxLength: 60,
  })
  .map((steps) => {
    let minutes = 0;
    return steps.map(({ author, gap, deleted, backwards }, index): Message => {
      minutes += backwards ? -gap : gap;
      return messageOf(index + 1, { account_id: author, datetime: at(minutes), deleted: deleted && index % 3 === 0 });
    });
  });

test("an older page only puts rows in front, whatever it brings: nothing that is shown changes", () => {
  fc.assert(
    fc.property(chat, fc.nat(), fc.nat(), fc.option(fc.nat({ max: 60 })), (messages, cut, start, unreadAfter) => {
      const from = 1 + (cut % (messages.length - 1));
      const older = start % from;
      const input = { unreadAfter, hasMoreAfter: false };
      const shown = build({ ...input, messages: messages.slice(from), hasMoreBefore: true });
      const wanted = build({ ...input, messages: messages.slice(older), hasMoreBefore: older > 0 });
      const tail = shown.length > 0 ? wanted.slice(-shown.length) : [];
      expect(tail).toEqual(shown);
    }),
  );
});

test("no two rows share a key", () => {
  fc.assert(
    fc.property(chat, fc.option(fc.nat({ max: 60 })), (messages, unreadAfter) => {
      const rows = build({ messages, unreadAfter, entries: [entryOf("a"), entryOf("b", { state: "failed", afterId: 3 })] });
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    }),
  );
});

describe("stageRows", () => {
  const keyed = (...keys: string[]) => keys.map((key) => ({ key }));

  test("changes at one end need one commit; only the start shifts", () => {
    expect(stageRows(keyed("c", "d"), keyed("a", "b", "c", "d"))).toMatchObject({ shift: true, done: true });
    expect(stageRows(keyed("a", "b", "c"), keyed("b", "c"))).toMatchObject({ shift: true, done: true });
    expect(stageRows(keyed("a"), keyed("a", "b"))).toMatchObject({ shift: false, done: true });
    expect(stageRows([], keyed("a"))).toMatchObject({ shift: false, done: true });
    expect(stageRows(keyed("a"), keyed("x", "y"))).toMatchObject({ shift: false, done: true });
  });

  test("any change arrives within two commits, and a shifting one changes nothing but the start", () => {
    const line = Array.from({ length: 40 }, (_, index) => ({ key: `${index}` }));
    const window = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })).map(([a, b]) => line.slice(Math.min(a, b), Math.max(a, b)));
    fc.assert(
      fc.property(window, window, (shown, wanted) => {
        let current = shown;
        for (let commit = 0; commit < 2; commit += 1) {
          const stage = stageRows(current, wanted);
          if (stage.shift) {
            const longer = stage.rows.length > current.length ? stage.rows : current;
            const shorter = longer === current ? stage.rows : current;
            expect(longer.slice(-shorter.length)).toEqual(shorter);
          }
          current = [...stage.rows];
          if (stage.done) break;
        }
        expect(current).toEqual(wanted);
      }),
    );
  });
});

describe("holdPlaces", () => {
  const keyed = (...keys: string[]) => keys.map((key) => ({ key }));
  const left = (key: string) => ({ key });

  test("what leaves from between two that stay keeps its place", () => {
    expect(holdPlaces(keyed("a", "line b", "b", "c"), keyed("a", "b", "line c", "c"), left)).toEqual(keyed("a", "left:line b", "b", "line c", "c"));
    expect(holdPlaces(keyed("a", "left:x", "b"), keyed("a", "b", "c"), left)).toEqual(keyed("a", "left:x", "b", "c"));
  });

  test("what leaves at an end is gone, and what stays whole is the same list", () => {
    expect(holdPlaces(keyed("a", "b", "c"), keyed("b"), left)).toEqual(keyed("b"));
    const wanted = keyed("0", "a", "b", "x");
    expect(holdPlaces(keyed("a", "b"), wanted, left)).toBe(wanted);
    expect(holdPlaces(keyed("a", "b"), keyed("x", "y"), left)).toEqual(keyed("x", "y"));
  });

  test("rows that stay never get another number by what leaves", () => {
    const line = Array.from({ length: 30 }, (_, index) => ({ key: `${index}` }));
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (stays) => {
        const wanted = line.filter((_, index) => stays[index]);
        const first = stays.indexOf(true);
        for (const [index, row] of holdPlaces(line, wanted, left).entries()) if (!row.key.startsWith("left:")) expect(Number(row.key)).toBe(index + first);
      }),
    );
  });
});
