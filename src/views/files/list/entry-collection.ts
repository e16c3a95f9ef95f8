/** The loaded entries in the form that react-aria works with. Nodes are made on demand, because a listing can have 100,000 entries. */
import type { ListState } from "react-stately/useListState";
import type { FileEntry } from "../../../../contract/file-records.ts";

type Collection = ListState<FileEntry>["collection"];
type EntryNode = NonNullable<ReturnType<Collection["getItem"]>>;
export type Key = EntryNode["key"];

export class EntryCollection implements Collection {
  readonly #entries: readonly FileEntry[];
  readonly #indexes: ReadonlyMap<Key, number>;
  readonly #nodes = new Map<Key, EntryNode>();

  constructor(entries: readonly FileEntry[]) {
    this.#entries = entries;
    this.#indexes = new Map(entries.map(({ id }, index) => [id, index]));
  }
  get size() {
    return this.#entries.length;
  }
  getKeys() {
    return this.#indexes.keys();
  }
  *[Symbol.iterator]() {
    for (const { id } of this.#entries) yield this.getItem(id)!;
  }
  /** Returns the position of an entry, or -1. */
  indexOf(key: Key | null): number {
    return key === null ? -1 : (this.#indexes.get(key) ?? -1);
  }
  keyAt(index: number): Key | null {
    return this.#entries[index]?.id ?? null;
  }
  at(index: number): EntryNode | null {
    const key = this.keyAt(index);
    return key === null ? null : this.getItem(key);
  }
  getItem(key: Key): EntryNode | null {
    const index = this.indexOf(key);
    const value = this.#entries[index];
    if (!value) return null;
    let node = this.#nodes.get(key);
    if (!node) {
      node = {
        type: "item",
        key,
        value,
        index,
        textValue: value.name,
        level: 0,
        parentKey: null,
        hasChildNodes: false,
        childNodes: [],
        rendered: null,
        props: {},
      };
      this.#nodes.set(key, node);
    }
    return node;
  }
  getKeyBefore(key: Key) {
    return this.keyAt(this.indexOf(key) - 1);
  }
  getKeyAfter(key: Key) {
    const index = this.indexOf(key);
    return index < 0 ? null : this.keyAt(index + 1);
  }
  getFirstKey() {
    return this.keyAt(0);
  }
  getLastKey() {
    return this.keyAt(this.size - 1);
  }
  /** Returns the entries from one to the other, both included, in either order. */
  getKeyRange(from: Key, to: Key): Key[] {
    const [start, end] = [this.indexOf(from), this.indexOf(to)].toSorted((a, b) => a - b) as [number, number];
    return start < 0 ? [] : this.#entries.slice(start, end + 1).map(({ id }) => id);
  }
}

/** Returns the entry that each key moves to in a layout of `perRow` entries per row. Moves stop at the ends. */
export function createKeyboardDelegate(collection: EntryCollection, perRow: number, pageRows: () => number) {
  const move = (key: Key, step: number) => collection.keyAt(Math.max(0, Math.min(collection.size - 1, collection.indexOf(key) + step)));
  return {
    getKeyBelow: (key: Key) => move(key, perRow),
    getKeyAbove: (key: Key) => move(key, -perRow),
    getKeyPageBelow: (key: Key) => move(key, pageRows() * perRow),
    getKeyPageAbove: (key: Key) => move(key, -pageRows() * perRow),
    getFirstKey: () => collection.getFirstKey(),
    getLastKey: () => collection.getLastKey(),
    ...(perRow > 1 && { getKeyRightOf: (key: Key) => move(key, 1), getKeyLeftOf: (key: Key) => move(key, -1) }),
  };
}

/** Returns the next entry whose name starts with the text. A single letter searches after `current`, and a longer text may stay there. */
export function findByPrefix(names: readonly { id: number; name: string }[], current: Key | null, text: string): number | undefined {
  const prefix = text.toLocaleLowerCase();
  const index = names.findIndex(({ id }) => id === current);
  const startIndex = text.length > 1 ? Math.max(0, index) : index + 1;
  return [...names.slice(startIndex), ...names.slice(0, startIndex)].find(({ name }) => name.toLocaleLowerCase().startsWith(prefix))?.id;
}
