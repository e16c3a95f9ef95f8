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

test("a second change replaces the first and has its own five seconds", () => {
  const first = addPendingChange([], buildChange("a", 1, 7), 1_000);
  const second = addPendingChange(first, buildChange("b", 2, 7), 4_000);
  expect(names(second)).toEqual(["b:7:counting"]);
  expect(second[0]!.state).toEqual({ type: "counting", dueAt: 4_000 + UNDO_WINDOW_MS });
});

test("choosing the current status cancels the pending change", () => {
  const first = addPendingChange([], { ...buildChange("a", 1, 7), files: [file(7, status(3))] }, 0);
  expect(addPendingChange(first, { ...buildChange("b", 3, 7), files: [file(7, status(3))] }, 0)).toEqual([]);
});

test("a new change removes only its own files from the older change", () => {
  const pending = addPendingChange([], buildChange("a", 1, 7, 8, 9), 0);
  expect(names(addPendingChange(pending, buildChange("b", 2, 8), 0))).toEqual(["a:7+9:counting", "b:8:counting"]);
  expect(names(withoutFiles(pending, new Set([7, 8, 9])))).toEqual([]);
});

test("a change that is being sent stays, and the next one starts from its status", () => {
  const sending = withState(addPendingChange([], buildChange("a", 1, 7), 0), "a", { type: "sending" });
  const both = addPendingChange(sending, buildChange("b", 2, 7), 0);
  expect(names(both)).toEqual(["a:7:sending", "b:7:counting"]);
  expect(both[1]!.files[0]!.before?.id).toBe(1);
  expect(pendingChangeFor(both, 7)?.id).toBe("b");
});

test("a change whose page slept past the deadline asks the user instead of being sent", () => {
  expect([afterDue(1_000, 1_010).type, afterDue(1_000, 61_000).type]).toEqual(["sending", "interrupted"]);
});

test("the service's results split a change by what its files need", () => {
  const sending = withState(addPendingChange([], buildChange("a", 1, 1, 2, 3, 4, 5), 0), "a", { type: "sending" });
  const outcomes = new Map<number, Outcome>([
    [1, { type: "done" }],
    [2, { type: "conflict", now: status(9) }],
    [3, { type: "refused", reason: "No." }],
    [4, { type: "refused", reason: "No." }],
  ]);
  const groups = applyOutcomes(sending, "a", outcomes, newId);
  expect(groups.map(({ files, state }) => [files.map(({ id }) => id), state])).toEqual([
    [[2], { type: "conflict" }],
    [[3, 4], { type: "refused", reason: "No." }],
    [[5], { type: "waiting", attempts: 1 }],
  ]);
  expect(groups[0]!.files[0]!.before?.id).toBe(9);
  expect(new Set(groups.map(({ id }) => id)).size).toBe(3);
});

test("a file is in at most one counting change, whatever is chosen in whatever order", () => {
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

test("the countdown ends at one second, not at zero", () => {
  expect([5_000, 4_001, 4_000, 1, 0, -50].map((left) => secondsUntil(10_000 + left, 10_000))).toEqual([5, 5, 4, 1, 1, 1]);
});
