import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clear, go, keep, neighbor, NOTHING, press, selectAll, typed, type Selection } from "./selection.ts";

const ORDER = [1, 2, 3, 4, 5, 6];
const ids = (selection: Selection) => [...selection.ids].toSorted((a, b) => a - b);

describe("the mouse", () => {
  test("a press chooses one, Ctrl adds and takes away, Shift reaches from the last one", () => {
    const one = press(NOTHING, ORDER, 2);
    expect(ids(one)).toEqual([2]);
    const two = press(one, ORDER, 5, { toggle: true });
    expect(ids(two)).toEqual([2, 5]);
    expect(ids(press(two, ORDER, 5, { toggle: true }))).toEqual([2]);
    expect(ids(press(two, ORDER, 3, { range: true }))).toEqual([3, 4, 5]);
    // From the same anchor to the other side.
    expect(ids(press(press(two, ORDER, 3, { range: true }), ORDER, 6, { range: true }))).toEqual([5, 6]);
    expect(ids(press(two, ORDER, 3, { range: true, toggle: true }))).toEqual([2, 3, 4, 5]);
  });
  test("Shift without anything chosen before chooses the one", () => {
    expect(press(NOTHING, ORDER, 3, { range: true })).toEqual({ ids: new Set([3]), anchor: 3, current: 3 });
  });
});

describe("the keyboard", () => {
  test("goes on, reaches with Shift, and goes without choosing with Ctrl", () => {
    const at = go({ ...NOTHING, current: 2 }, ORDER, 3);
    expect([ids(at), at.current]).toEqual([[3], 3]);
    const reached = go(go(at, ORDER, 4, { range: true }), ORDER, 5, { range: true });
    expect([ids(reached), reached.anchor, reached.current]).toEqual([[3, 4, 5], 3, 5]);
    expect(ids(go(reached, ORDER, 4, { range: true }))).toEqual([3, 4]);
    expect(go(reached, ORDER, 1, { toggle: true })).toEqual({ ...reached, current: 1 });
    // From where it stood, where nothing was chosen.
    expect(ids(go({ ...NOTHING, current: 2 }, ORDER, 3, { range: true }))).toEqual([2, 3]);
  });
  test("steps are held at the ends", () => {
    expect([neighbor(ORDER, 1, -1), neighbor(ORDER, 6, 10), neighbor(ORDER, null, 1), neighbor(ORDER, 99, -1), neighbor([], null, 1)]).toEqual([
      1,
      6,
      1,
      6,
      undefined,
    ]);
  });
  test("letters find names, one letter the next one", () => {
    const names = ["Bass", "bridge", "Chorus", "Ä"].map((name, index) => ({ id: index, name }));
    expect([typed(names, 0, "b"), typed(names, 1, "b"), typed(names, 0, "br"), typed(names, 1, "br"), typed(names, 3, "ch"), typed(names, 0, "x")]).toEqual([
      1,
      0,
      1,
      1,
      2,
      undefined,
    ]);
  });
});

test("all and nothing", () => {
  expect(ids(selectAll(NOTHING, ORDER))).toEqual(ORDER);
  expect(clear(selectAll(NOTHING, ORDER)).ids.size).toBe(0);
  expect(clear(NOTHING)).toBe(NOTHING);
});

describe("when others change the listing", () => {
  test("what is gone is not selected any more, and the keyboard stands where its row was", () => {
    const selection: Selection = { ids: new Set([2, 3, 6]), anchor: 3, current: 3 };
    expect(keep(selection, ORDER, [1, 2, 4, 5, 6])).toEqual({ ids: new Set([2, 6]), anchor: null, current: 4 });
    expect(keep({ ...selection, current: 6 }, ORDER, [1, 2, 3])).toMatchObject({ current: 3 });
    expect(keep(selection, ORDER, [])).toEqual(NOTHING);
    // Quite other ones, as a search finds them.
    expect(keep(selection, ORDER, [11, 12, 13])).toEqual(NOTHING);
    expect(keep({ ...selection, current: 5 }, ORDER, [1, 4, 11, 12])).toMatchObject({ current: 4 });
    expect(keep(selection, ORDER, [6, 5, 4, 3, 2, 1, 7])).toBe(selection);
  });
  test("nothing that is still there is lost, and nothing that is gone stays", () => {
    const list = fc.uniqueArray(fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(
        list,
        list,
        fc.uniqueArray(fc.integer({ min: 1, max: 20 })),
        fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
        (before, after, chosen, current) => {
          const selected = chosen.filter((id) => before.includes(id));
          const kept = keep({ ids: new Set(selected), anchor: null, current }, before, after);
          expect(ids(kept)).toEqual(selected.filter((id) => after.includes(id)).toSorted((a, b) => a - b));
          // Nowhere only if nothing of what was seen with it is left.
          if (current !== null && before.includes(current)) expect(kept.current === null).toBe(!before.some((id) => after.includes(id)));
          if (kept.current !== null) expect(after).toContain(kept.current);
        },
      ),
    );
  });
});
