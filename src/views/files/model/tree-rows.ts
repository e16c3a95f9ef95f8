/** The rows of the folder tree that are seen, and where a key leads among them. */
import { byKey, nameOrderKey } from "../../../../contract/file-order.ts";
import type { Folder, Tree } from "../../../queries/file-lists/tree.ts";

export interface TreeRow {
  id: number;
  name: string;
  parentId: number | null;
  /** From 1, as screen readers count. */
  level: number;
  /** Among those of its parent, from 1. */
  place: number;
  of: number;
  /** null: there is nothing to open. */
  open: boolean | null;
}

const ordered = (folders: readonly Folder[]): Folder[] =>
  folders
    .map((folder) => ({ folder, key: nameOrderKey(folder.name, true) }))
    .toSorted((a, b) => byKey(a.key, b.key) || a.folder.id - b.folder.id)
    .map(({ folder }) => folder);

/** From the root down, each folder below its parent as long as that is open. */
export function treeRows(tree: Tree, root: Folder, open: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = [];
  const seen = new Set<number>();
  const add = (folder: Folder, level: number, place: number, of: number) => {
    // A circle is not followed.
    if (seen.has(folder.id)) return;
    seen.add(folder.id);
    const below = tree.below(folder.id);
    const isOpen = below.length > 0 && open.has(folder.id);
    rows.push({ id: folder.id, name: folder.name, parentId: folder.parent_id, level, place, of, open: below.length > 0 ? isOpen : null });
    if (isOpen) for (const [index, one] of ordered(below).entries()) add(one, level + 1, index + 1, below.length);
  };
  add(root, 1, 1, 1);
  return rows;
}

export type TreeMove = { focus: number } | { open: number } | { close: number } | null;

/** What a key does in the tree, as the pattern for trees has it. */
export function treeMove(rows: readonly TreeRow[], id: number, key: string): TreeMove {
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  if (!row) return null;
  const to = (next: TreeRow | undefined): TreeMove => (next ? { focus: next.id } : null);
  switch (key) {
    case "ArrowDown":
      return to(rows[at + 1]);
    case "ArrowUp":
      return to(rows[at - 1]);
    case "Home":
      return to(rows[0]);
    case "End":
      return to(rows.at(-1));
    case "ArrowRight":
      if (row.open === null) return null;
      return row.open ? to(rows[at + 1]) : { open: id };
    case "ArrowLeft":
      if (row.open) return { close: id };
      return to(rows.find((one) => one.id === row.parentId));
    default:
      return null;
  }
}
