import { expect, test } from "vitest";
import { toHistory, type History } from "./history.ts";
import { messageOf as message } from "./message.fixture.ts";
import { keptIn, leftOf, RESTORE_MS, tombstoneOf, withTombstones, written, type Kept } from "./tombstones.ts";

const NOW = Date.parse("2026-11-17T14:00:00Z");
const kept = (id: number, until = NOW + RESTORE_MS): Kept => ({ message: tombstoneOf(message(id)), until });
const ids = ({ messages }: History) => messages.map(({ id }) => id);

test("what is remembered says nothing of what was said, and is the same after a reload", () => {
  const said = message(5, { body: "secret", mentions: [3], reactions: [{ emoji: "👍", account_ids: [2] }] });
  const text = written([{ message: tombstoneOf(said), until: NOW + 1_000 }]);
  expect(text).not.toContain("secret");
  expect(keptIn(text, NOW)).toEqual([{ message: { ...said, body: "", mentions: [], reactions: [], parent: null, deleted: true }, until: NOW + 1_000 }]);
});

test("it ends when the service would refuse, whatever the clock does, and stays small", () => {
  expect(keptIn(written([kept(1, NOW), kept(2, NOW + 1)]), NOW).map(({ message: { id } }) => id)).toEqual([2]);
  expect(leftOf(kept(1, NOW + 40 * RESTORE_MS), NOW)).toBe(RESTORE_MS);
  const many = Array.from({ length: 50 }, (_, index) => kept(index + 1));
  expect(keptIn(written(many), NOW).map(({ message: { id } }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 31));
});

test.each([null, "", "{", "[1]", '[{"message":{"id":1},"until":9e15}]', '{"a":1}'])("%j is nothing of ours", (text) => expect(keptIn(text, NOW)).toEqual([]));

test("a place is shown where the stretch covers it and holds nothing there", () => {
  const all = [kept(2), kept(4), kept(9), kept(30)];
  const whole = toHistory({ data: [3, 5, 9].map((id) => message(id)) });
  expect(ids(withTombstones(whole, all, 1))).toEqual([2, 3, 4, 5, 9, 30]);
  expect(
    withTombstones(whole, all, 1)
      .messages.filter(({ deleted }) => deleted)
      .map(({ id }) => id),
  ).toEqual([2, 4, 30]);
  const middle = { ...whole, hasMoreBefore: true, hasMoreAfter: true };
  expect(ids(withTombstones(middle, all, 1))).toEqual([3, 4, 5, 9]);
  expect(withTombstones(whole, all, 2)).toBe(whole);
  expect(withTombstones(whole, [], 1)).toBe(whole);
});
