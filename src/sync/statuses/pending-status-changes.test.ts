import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileStatus } from "../../../contract/records.ts";
import {
  afterDue,
  pendingChangeFor,
  addPendingChange,
  secondsUntil,
  applyOutcomes,
  UNDO_WINDOW_MS,
  withState,
  withoutFiles,
  type PendingStatusChange,
  type PendingStatusChanges,
  type Outcome,
} from "./pending-status-changes.ts";

const status = (id: number): FileStatus => ({ id, title: `S${id}`, color: id, position: id });
const file = (id: number, before: FileStatus | null = null) => ({ id, name: `${id}.wav`, before });
const buildChange = (id: string, statusId: number, ...fileIds: number[]) => ({
  id,
  teamId: 1,
  status: status(statusId),
  note: "",
  files: fileIds.map((fileId) => file(fileId)),
});
const names = (changes: PendingStatusChanges) => changes.map(({ id, files, state }) => `${id}:${files.map((item) => item.id).join("+")}:${state.type}`);
let ids = 0;
const newId = () => `n${(ids += 1)}`;

test("a second choice takes the place of the first, and has its own five seconds", () => {
  const first = addPendingChange([], buildChange("a", 1, 7), 1_000);
  const second = addPendingChange(first, buildChange("b", 2, 7), 4_000);
  expect(names(second)).toEqual(["b:7:counting"]);
  expect(second[0]!.state).toEqual({ type: "counting", dueAt: 4_000 + UNDO_WINDOW_MS });
});

test("choosing what a file has already is taking the choice back", () => {
  const first = addPendingChange([], { ...buildChange("a", 1, 7), files: [file(7, status(3))] }, 0);
  expect(addPendingChange(first, { ...buildChange("b", 3, 7), files: [file(7, status(3))] }, 0)).toEqual([]);
});

test("of several files only those that are chosen anew leave the older choice", () => {
  const pending = addPendingChange([], buildChange("a", 1, 7, 8, 9), 0);
  expect(names(addPendingChange(pending, buildChange("b", 2, 8), 0))).toEqual(["a:7+9:counting", "b:8:counting"]);
  expect(names(withoutFiles(pending, new Set([7, 8, 9])))).toEqual([]);
});

test("what is on its way is let be, and what follows it starts from there", () => {
  const sending = withState(addPendingChange([], buildChange("a", 1, 7), 0), "a", { type: "sending" });
  const both = addPendingChange(sending, buildChange("b", 2, 7), 0);
  expect(names(both)).toEqual(["a:7:sending", "b:7:counting"]);
  expect(both[1]!.files[0]!.before?.id).toBe(1);
  expect(pendingChangeFor(both, 7)?.id).toBe("b");
});

test("a page that slept past the end asks instead of sending", () => {
  expect([afterDue(1_000, 1_010).type, afterDue(1_000, 61_000).type]).toEqual(["sending", "left"]);
});

test("what the service says of each file parts them by what they need", () => {
  const sending = withState(addPendingChange([], buildChange("a", 1, 1, 2, 3, 4, 5), 0), "a", { type: "sending" });
  const outcomes = new Map<number, Outcome>([
    [1, { type: "done" }],
    [2, { type: "overtaken", now: status(9) }],
    [3, { type: "refused", reason: "No." }],
    [4, { type: "refused", reason: "No." }],
  ]);
  const groups = applyOutcomes(sending, "a", outcomes, newId);
  expect(groups.map(({ files, state }) => [files.map(({ id }) => id), state])).toEqual([
    [[2], { type: "overtaken" }],
    [[3, 4], { type: "refused", reason: "No." }],
    [[5], { type: "waiting", attempts: 1 }],
  ]);
  expect(groups[0]!.files[0]!.before?.id).toBe(9);
  expect(new Set(groups.map(({ id }) => id)).size).toBe(3);
});

test("whatever is chosen in whatever order, a file is in one counting choice at most", () => {
  const actionArbitrary = fc.record({
    at: fc.nat(20_000),
    status: fc.integer({ min: 1, max: 3 }),
    files: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(actionArbitrary, { maxLength: 12 }), (actions) => {
      let pending: PendingStatusChanges = [];
      actions.forEach(({ at, status: id, files }, index) => (pending = addPendingChange(pending, buildChange(String(index), id, ...files), at)));
      const counting = pending.flatMap(({ files }) => files.map((item) => item.id));
      expect(new Set(counting).size).toBe(counting.length);
      expect(pending.every((change: PendingStatusChange) => change.files.length > 0)).toBe(true);
    }),
  );
});

test("seconds are counted to one, never to none", () => {
  expect([5_000, 4_001, 4_000, 1, 0, -50].map((left) => secondsUntil(10_000 + left, 10_000))).toEqual([5, 5, 4, 1, 1, 1]);
});
