import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clearSelection,
  moveSelection,
  reconcileSelection,
  adjacentId,
  EMPTY_SELECTION,
  pressRow,
  selectAll,
  findByPrefix,
  type Selection,
} from "./selection.ts";

const ORDER = [1, 2, 3, 4, 5, 6];
const sortedIds = (selection: Selection) => [...selection.ids].toSorted((a, b) => a - b);

describe("with the mouse", () => {
  test("a press selects one row, Ctrl adds and removes, Shift extends from the last one", () => {
    const single = pressRow(EMPTY_SELECTION, ORDER, 2);
    expect(sortedIds(single)).toEqual([2]);
    const pair = pressRow(single, ORDER, 5, { isToggle: true });
    expect(sortedIds(pair)).toEqual([2, 5]);
    expect(sortedIds(pressRow(pair, ORDER, 5, { isToggle: true }))).toEqual([2]);
    expect(sortedIds(pressRow(pair, ORDER, 3, { isRange: true }))).toEqual([3, 4, 5]);
    // Selects from the same anchor in the other direction.
    expect(sortedIds(pressRow(pressRow(pair, ORDER, 3, { isRange: true }), ORDER, 6, { isRange: true }))).toEqual([5, 6]);
    expect(sortedIds(pressRow(pair, ORDER, 3, { isRange: true, isToggle: true }))).toEqual([2, 3, 4, 5]);
  });
  test("Shift without a selection selects one row", () => {
    expect(pressRow(EMPTY_SELECTION, ORDER, 3, { isRange: true })).toEqual({ ids: new Set([3]), anchor: 3, current: 3 });
  });
});

describe("with the keyboard", () => {
  test("moving selects, Shift extends, and Ctrl moves without selecting", () => {
    const moved = moveSelection({ ...EMPTY_SELECTION, current: 2 }, ORDER, 3);
    expect([sortedIds(moved), moved.current]).toEqual([[3], 3]);
    const extended = moveSelection(moveSelection(moved, ORDER, 4, { isRange: true }), ORDER, 5, { isRange: true });
    expect([sortedIds(extended), extended.anchor, extended.current]).toEqual([[3, 4, 5], 3, 5]);
    expect(sortedIds(moveSelection(extended, ORDER, 4, { isRange: true }))).toEqual([3, 4]);
    expect(moveSelection(extended, ORDER, 1, { isToggle: true })).toEqual({ ...extended, current: 1 });
    // Without an anchor, the range starts at the focused row.
    expect(sortedIds(moveSelection({ ...EMPTY_SELECTION, current: 2 }, ORDER, 3, { isRange: true }))).toEqual([2, 3]);
  });
  test("moves stop at the ends", () => {
    expect([adjacentId(ORDER, 1, -1), adjacentId(ORDER, 6, 10), adjacentId(ORDER, null, 1), adjacentId(ORDER, 99, -1), adjacentId([], null, 1)]).toEqual([
      1,
      6,
      1,
      6,
      undefined,
    ]);
  });
  test("letters find names, one letter the next match", () => {
    const names = ["Bass", "bridge", "Chorus", "Ä"].map((name, index) => ({ id: index, name }));
    expect([
      findByPrefix(names, 0, "b"),
      findByPrefix(names, 1, "b"),
      findByPrefix(names, 0, "br"),
      findByPrefix(names, 1, "br"),
      findByPrefix(names, 3, "ch"),
      findByPrefix(names, 0, "x"),
    ]).toEqual([1, 0, 1, 1, 2, undefined]);
  });
});

test("selecting all and clearing the selection", () => {
  expect(sortedIds(selectAll(EMPTY_SELECTION, ORDER))).toEqual(ORDER);
  expect(clearSelection(selectAll(EMPTY_SELECTION, ORDER)).ids.size).toBe(0);
  expect(clearSelection(EMPTY_SELECTION)).toBe(EMPTY_SELECTION);
});

describe("when others change the listing", () => {
  test("removed entries are deselected, and the current row is the one at their position", () => {
    const selection: Selection = { ids: new Set([2, 3, 6]), anchor: 3, current: 3 };
    expect(reconcileSelection(selection, ORDER, [1, 2, 4, 5, 6])).toEqual({ ids: new Set([2, 6]), anchor: null, current: 4 });
    expect(reconcileSelection({ ...selection, current: 6 }, ORDER, [1, 2, 3])).toMatchObject({ current: 3 });
    expect(reconcileSelection(selection, ORDER, [])).toEqual(EMPTY_SELECTION);
    // No entry remains, as after another search.
    expect(reconcileSelection(selection, ORDER, [11, 12, 13])).toEqual(EMPTY_SELECTION);
    expect(reconcileSelection({ ...selection, current: 5 }, ORDER, [1, 4, 11, 12])).toMatchObject({ current: 4 });
    expect(reconcileSelection(selection, ORDER, [6, 5, 4, 3, 2, 1, 7])).toBe(selection);
  });
  test("remaining entries stay selected, removed ones do not", () => {
    const list = fc.uniqueArray(fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(
        list,
        list,
        fc.uniqueArray(fc.integer({ min: 1, max: 20 })),
        fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
        (before, after, candidateIds, current) => {
          const selected = candidateIds.filter((id) => before.includes(id));
          const reconciled = reconcileSelection({ ids: new Set(selected), anchor: null, current }, before, after);
          expect(sortedIds(reconciled)).toEqual(selected.filter((id) => after.includes(id)).toSorted((a, b) => a - b));
          // No entry is focused only if none of the entries shown before remains.
          if (current !== null && before.includes(current)) expect(reconciled.current === null).toBe(!before.some((id) => after.includes(id)));
          if (reconciled.current !== null) expect(after).toContain(reconciled.current);
        },
      ),
    );
  });
});
