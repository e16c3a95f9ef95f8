/** Computes the visible rows of the folder tree and the keyboard navigation between them. */
import { compareKeys, nameOrderKey } from "../../../../contract/file-order.ts";
import type { Folder, FolderHierarchy } from "../../../queries/file-lists/folder-tree.ts";

export interface TreeRow {
  id: number;
  name: string;
  parentId: number | null;
  /** Starts at 1. */
  level: number;
  /** Position among its siblings, starting at 1. */
  positionInSet: number;
  setSize: number;
  /** null if the folder has no subfolders. */
  isExpanded: boolean | null;
}

const sortFolders = (folders: readonly Folder[]): Folder[] =>
  folders
    .map((folder) => ({ folder, key: nameOrderKey(folder.name, true) }))
    .toSorted((a, b) => compareKeys(a.key, b.key) || a.folder.id - b.folder.id)
    .map(({ folder }) => folder);

/** Returns the rows from the root down. Subfolders follow their parent if it is expanded. */
export function buildTreeRows(tree: FolderHierarchy, root: Folder, openIds: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = [];
  const visited = new Set<number>();
  const add = (folder: Folder, level: number, positionInSet: number, setSize: number) => {
    // Cycles are not followed.
    if (visited.has(folder.id)) return;
    visited.add(folder.id);
    const children = tree.childrenOf(folder.id);
    const isOpen = children.length > 0 && openIds.has(folder.id);
    rows.push({ id: folder.id, name: folder.name, parentId: folder.parent_id, level, positionInSet, setSize, isExpanded: children.length > 0 ? isOpen : null });
    if (isOpen) for (const [index, child] of sortFolders(children).entries()) add(child, level + 1, index + 1, children.length);
  };
  add(root, 1, 1, 1);
  return rows;
}

export type TreeAction = { focus: number } | { open: number } | { close: number } | null;

/** Returns the action of a key by the ARIA tree view pattern. */
export function treeKeyAction(rows: readonly TreeRow[], id: number, key: string): TreeAction {
  const index = rows.findIndex((row) => row.id === id);
  const row = rows[index];
  if (!row) return null;
  const focusRow = (next: TreeRow | undefined): TreeAction => (next ? { focus: next.id } : null);
  switch (key) {
    case "ArrowDown":
      return focusRow(rows[index + 1]);
    case "ArrowUp":
      return focusRow(rows[index - 1]);
    case "Home":
      return focusRow(rows[0]);
    case "End":
      return focusRow(rows.at(-1));
    case "ArrowRight":
      if (row.isExpanded === null) return null;
      return row.isExpanded ? focusRow(rows[index + 1]) : { open: id };
    case "ArrowLeft":
      if (row.isExpanded) return { close: id };
      return focusRow(rows.find((candidate) => candidate.id === row.parentId));
    default:
      return null;
  }
}
