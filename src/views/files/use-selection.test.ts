import fc from "fast-check";
import { createElement, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { buildEntry } from "../../queries/file-lists/entry.fixture.ts";
import type { Key } from "./list/entry-collection.ts";
import { type EntrySelection, useSelection } from "./use-selection.ts";

interface Listing {
  folderId?: number;
  ids: readonly number[];
}
type Step = Listing | ((selection: EntrySelection) => void);

/** Renders the listings and runs the actions in turn, each in a render of its own, and returns the selected ids in ascending order. */
function selectedAfter(...steps: Step[]): Key[] {
  const listings = steps.map((step) => (typeof step === "function" ? null : { folderId: 1, ...step, entries: step.ids.map((id) => buildEntry(id)) }));
  const results: (readonly Key[])[] = [];
  const SelectionFixture = () => {
    const [index, setIndex] = useState(0);
    const listing = listings.slice(0, index + 1).findLast((candidate) => candidate !== null)!;
    const selection = useSelection(listing.folderId, "", listing.entries);
    const step = steps[index];
    if (typeof step === "function") step(selection);
    if (step) setIndex(index + 1);
    results.push([...selection.keys]);
    return null;
  };
  renderToStaticMarkup(createElement(SelectionFixture));
  return results.at(-1)!.toSorted((a, b) => Number(a) - Number(b));
}

const press = (id: number) => (selection: EntrySelection) => selection.manager.replaceSelection(id);
const toggle = (id: number) => (selection: EntrySelection) => selection.manager.toggleSelection(id);
/** `start`: the focused row, with a key. */
const extend =
  (id: number, { isOnly = true, start = null }: { isOnly?: boolean; start?: number | null } = {}) =>
  (selection: EntrySelection) => {
    selection.setRangeMode({ isOnly, start });
    selection.manager.extendSelection(id);
  };
const selectAll = ({ manager }: EntrySelection) => manager.selectAll();
const clear = ({ manager }: EntrySelection) => manager.clearSelection();
const all = { ids: [1, 2, 3, 4, 5, 6] };

test("a press selects one row, Ctrl adds and removes, Shift extends from the last one", () => {
  expect(selectedAfter(all, press(3), press(2))).toEqual([2]);
  const pair = [all, press(2), toggle(5)];
  expect(selectedAfter(...pair)).toEqual([2, 5]);
  expect(selectedAfter(...pair, toggle(5))).toEqual([2]);
  expect(selectedAfter(...pair, extend(3))).toEqual([3, 4, 5]);
  // Selects from the same anchor in the other direction.
  expect(selectedAfter(...pair, extend(3), extend(6))).toEqual([5, 6]);
  expect(selectedAfter(...pair, extend(3, { isOnly: false }))).toEqual([2, 3, 4, 5]);
});

test("without an anchor, Shift selects one row with a press, and starts at the focused row with a key", () => {
  expect(selectedAfter(all, extend(3))).toEqual([3]);
  expect(selectedAfter(all, extend(3), extend(5))).toEqual([3, 4, 5]);
  expect(selectedAfter(all, extend(3, { start: 2 }))).toEqual([2, 3]);
  expect(selectedAfter(all, press(1), clear, extend(4))).toEqual([4]);
});

test("a range starts at the first row after everything was selected, and at a row that a request selected", () => {
  expect(selectedAfter(all, selectAll)).toEqual(all.ids);
  expect(selectedAfter(all, selectAll, extend(3))).toEqual([1, 2, 3]);
  expect(selectedAfter({ ids: [1] }, selectAll, extend(1, { start: 1 }))).toEqual([1]);
  expect(selectedAfter(all, (selection) => selection.select(new Set([2]), 2), extend(4))).toEqual([2, 3, 4]);
});

describe("when others change the listing", () => {
  test("a range still starts at its anchor, unless that is gone", () => {
    expect(selectedAfter(all, press(5), toggle(2), { ids: [1, 2, 3, 4, 6] }, extend(4))).toEqual([2, 3, 4]);
    expect(selectedAfter(all, press(2), toggle(5), { ids: [1, 2, 3, 4, 6] }, extend(4, { start: 3 }))).toEqual([3, 4]);
    // The anchor was deselected before.
    expect(selectedAfter(all, press(2), toggle(5), toggle(5), { ids: [1, 2, 3, 4, 6] }, extend(4))).toEqual([4]);
    // The anchor comes back.
    expect(selectedAfter(all, press(2), toggle(5), { ids: [1, 2, 3] }, all, extend(4))).toEqual([4]);
  });
  test("another order changes nothing, another folder clears the selection", () => {
    expect(selectedAfter(all, press(2), toggle(5), { ids: [6, 5, 4, 3, 2, 1, 7] })).toEqual([2, 5]);
    expect(selectedAfter(all, press(2), { ...all, folderId: 2 })).toEqual([]);
    expect(selectedAfter(all, press(2), { ...all, folderId: 2 }, extend(4))).toEqual([4]);
  });
  test("remaining entries stay selected, removed ones do not", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(ids, ids, ids, (before, after, candidates) => {
        const selected = candidates.filter((id) => before.includes(id));
        const remaining = selectedAfter({ ids: before }, (selection) => selection.select(new Set(selected), null), { ids: after });
        expect(remaining).toEqual(selected.filter((id) => after.includes(id)).toSorted((a, b) => a - b));
      }),
    );
  });
});
