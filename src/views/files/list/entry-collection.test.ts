import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildEntry } from "../../../queries/file-lists/entry.fixture.ts";
import { createKeyboardDelegate, EntryCollection, findByPrefix } from "./entry-collection.ts";

const collectionOf = (...ids: number[]) => new EntryCollection(ids.map((id) => buildEntry(id)));

describe("a collection of entries", () => {
  test("finds neighbors, positions and nodes", () => {
    const collection = collectionOf(5, 3, 9);
    expect([collection.getFirstKey(), collection.getKeyAfter(5), collection.getKeyBefore(5), collection.getLastKey(), collection.getKeyAfter(9)]).toEqual([
      5,
      3,
      null,
      9,
      null,
    ]);
    expect([collection.indexOf(9), collection.indexOf(4), collection.indexOf(null)]).toEqual([2, -1, -1]);
    expect(collection.getItem(3)).toMatchObject({ key: 3, index: 1, textValue: "file 3.wav" });
    expect(collection.getItem(3)).toBe(collection.at(1));
    expect([collection.getItem(4), collection.at(3), collection.getKeyAfter(4)]).toEqual([null, null, null]);
  });
  test("a range includes both ends in either direction, and is empty if one is gone", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), fc.nat(), fc.nat(), (ids, a, b) => {
        const [from, to] = [ids[a % ids.length]!, ids[b % ids.length]!];
        const range = collectionOf(...ids).getKeyRange(from, to);
        expect(range).toEqual(collectionOf(...ids).getKeyRange(to, from));
        expect(new Set([range.at(0), range.at(-1)])).toEqual(new Set([from, to]));
        expect(range).toEqual(ids.filter((id) => range.includes(id)));
        expect(collectionOf(...ids).getKeyRange(from, 99)).toEqual([]);
      }),
    );
  });
});

test("moves go by rows and pages and stop at the ends", () => {
  const collection = collectionOf(1, 2, 3, 4, 5, 6);
  const list = createKeyboardDelegate(collection, 1, () => 4);
  expect([list.getKeyAbove(1), list.getKeyBelow(1), list.getKeyPageBelow(1), list.getKeyPageBelow(4), list.getKeyPageAbove(3), list.getKeyRightOf]).toEqual([
    1,
    2,
    5,
    6,
    1,
    undefined,
  ]);
  const tiles = createKeyboardDelegate(collection, 4, () => 1);
  expect([tiles.getKeyBelow(1), tiles.getKeyBelow(4), tiles.getKeyAbove(6), tiles.getKeyRightOf?.(4), tiles.getKeyLeftOf?.(1)]).toEqual([5, 6, 2, 5, 1]);
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
