/** A tree of folders to choose one from: which rows are seen, and where the keys go. */
import type { Tree } from "../../../queries/file-lists/tree.ts";

export interface PickerRow<F> {
  folder: F;
  /** 0 at the root. */
  level: number;
  hasChildren: boolean;
  open: boolean;
}

type Folder = { id: number; name: string; parent_id: number | null };

/** The rows from the root down, below open folders only. */
export function rowsOf<F extends Folder>(tree: Tree<F>, open: ReadonlySet<number>): PickerRow<F>[] {
  const rows: PickerRow<F>[] = [];
  const put = (folder: F, level: number) => {
    const children = tree.below(folder.id);
    const isOpen = open.has(folder.id) && children.length > 0;
    rows.push({ folder, level, hasChildren: children.length > 0, open: isOpen });
    if (isOpen) for (const child of children) put(child, level + 1);
  };
  for (const root of tree.below(null)) put(root, 0);
  return rows;
}

export type PickerMove = { type: "go"; id: number } | { type: "open" | "close"; id: number };

/** What a key of a tree does at a row; undefined where it does nothing. */
export function moveBy<F extends Folder>(rows: readonly PickerRow<F>[], current: number, key: string): PickerMove | undefined {
  const at = rows.findIndex(({ folder }) => folder.id === current);
  const row = rows[at];
  const go = (to: PickerRow<F> | undefined): PickerMove | undefined => (to ? { type: "go", id: to.folder.id } : undefined);
  switch (key) {
    case "ArrowDown":
      return go(rows[at + 1]);
    case "ArrowUp":
      return at > 0 ? go(rows[at - 1]) : undefined;
    case "Home":
      return go(rows[0]);
    case "End":
      return go(rows.at(-1));
    case "ArrowRight":
      if (!row?.hasChildren) return undefined;
      return row.open ? go(rows[at + 1]) : { type: "open", id: current };
    case "ArrowLeft":
      if (row?.open) return { type: "close", id: current };
      return go(rows.find(({ folder }) => folder.id === row?.folder.parent_id));
    default:
      return undefined;
  }
}
