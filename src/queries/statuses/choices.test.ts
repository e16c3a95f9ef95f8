import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileStatus } from "../../../contract/records.ts";
import { afterDue, choiceFor, choose, secondsUntil, settle, UNDO_MS, withState, without, type Choice, type Choices, type Outcome } from "./choices.ts";

const status = (id: number): FileStatus => ({ id, title: `S${id}`, color: id, position: id });
const file = (id: number, before: FileStatus | null = null) => ({ id, name: `${id}.wav`, before });
const wish = (id: string, statusId: number, ...fileIds: number[]) => ({
  id,
  teamId: 1,
  status: status(statusId),
  note: "",
  files: fileIds.map((one) => file(one)),
});
const names = (choices: Choices) => choices.map(({ id, files, state }) => `${id}:${files.map((one) => one.id).join("+")}:${state.is}`);
let ids = 0;
const newId = () => `n${(ids += 1)}`;

test("a second choice takes the place of the first, and has its own five seconds", () => {
  const first = choose([], wish("a", 1, 7), 1_000);
  const second = choose(first, wish("b", 2, 7), 4_000);
  expect(names(second)).toEqual(["b:7:counting"]);
  expect(second[0]!.state).toEqual({ is: "counting", due: 4_000 + UNDO_MS });
});

test("choosing what a file has already is taking the choice back", () => {
  const first = choose([], { ...wish("a", 1, 7), files: [file(7, status(3))] }, 0);
  expect(choose(first, { ...wish("b", 3, 7), files: [file(7, status(3))] }, 0)).toEqual([]);
});

test("of several files only those that are chosen anew leave the older choice", () => {
  const all = choose([], wish("a", 1, 7, 8, 9), 0);
  expect(names(choose(all, wish("b", 2, 8), 0))).toEqual(["a:7+9:counting", "b:8:counting"]);
  expect(names(without(all, new Set([7, 8, 9])))).toEqual([]);
});

test("what is on its way is let be, and what follows it starts from there", () => {
  const sending = withState(choose([], wish("a", 1, 7), 0), "a", { is: "sending" });
  const both = choose(sending, wish("b", 2, 7), 0);
  expect(names(both)).toEqual(["a:7:sending", "b:7:counting"]);
  expect(both[1]!.files[0]!.before?.id).toBe(1);
  expect(choiceFor(both, 7)?.id).toBe("b");
});

test("a page that slept past the end asks instead of sending", () => {
  expect([afterDue(1_000, 1_010).is, afterDue(1_000, 61_000).is]).toEqual(["sending", "left"]);
});

test("what the service says of each file parts them by what they need", () => {
  const sending = withState(choose([], wish("a", 1, 1, 2, 3, 4, 5), 0), "a", { is: "sending" });
  const outcomes = new Map<number, Outcome>([
    [1, { is: "done" }],
    [2, { is: "overtaken", now: status(9) }],
    [3, { is: "refused", reason: "No." }],
    [4, { is: "refused", reason: "No." }],
  ]);
  const parts = settle(sending, "a", outcomes, newId);
  expect(parts.map(({ files, state }) => [files.map(({ id }) => id), state])).toEqual([
    [[2], { is: "overtaken" }],
    [[3, 4], { is: "refused", reason: "No." }],
    [[5], { is: "waiting", tries: 1 }],
  ]);
  expect(parts[0]!.files[0]!.before?.id).toBe(9);
  expect(new Set(parts.map(({ id }) => id)).size).toBe(3);
});

test("whatever is chosen in whatever order, a file is in one counting choice at most", () => {
  const act = fc.record({
    at: fc.nat(20_000),
    status: fc.integer({ min: 1, max: 3 }),
    files: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
      let all: Choices = [];
      acts.forEach(({ at, status: id, files }, index) => (all = choose(all, wish(String(index), id, ...files), at)));
      const counting = all.flatMap(({ files }) => files.map((one) => one.id));
      expect(new Set(counting).size).toBe(counting.length);
      expect(all.every((choice: Choice) => choice.files.length > 0)).toBe(true);
    }),
  );
});

test("seconds are counted to one, never to none", () => {
  expect([5_000, 4_001, 4_000, 1, 0, -50].map((left) => secondsUntil(10_000 + left, 10_000))).toEqual([5, 5, 4, 1, 1, 1]);
});
