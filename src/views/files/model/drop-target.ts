/** Determines where an item dragged over the files view would be dropped. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { moveTargetDisabledReason } from "../../../queries/file-actions/permissions.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";

/** The element under the pointer. */
export type HoverTarget = { kind: "folder"; id: number } | { kind: "entry"; id: number } | { kind: "here" } | null;

export type DropTarget = { kind: "folder"; id: number } | { kind: "version"; entry: FileEntry };

interface DropContext {
  currentFolderId: number;
  tree: Tree<FileEntry>;
  entries: readonly FileEntry[];
}

/**
 * Returns the target of desktop files: a folder, a file that gets a single one as its version, or else the open
 * folder. `isSingleFile` is only as accurate as the browser's report.
 */
export function resolveFileDrop(hoverTarget: HoverTarget, { currentFolderId, tree, entries }: DropContext, isSingleFile: boolean): DropTarget | null {
  if (hoverTarget === null) return null;
  if (hoverTarget.kind === "here") return { kind: "folder", id: currentFolderId };
  if (hoverTarget.kind === "folder") return tree.get(hoverTarget.id) ? { kind: "folder", id: hoverTarget.id } : null;
  const entry = entries.find(({ id }) => id === hoverTarget.id);
  if (entry?.is_folder) return { kind: "folder", id: entry.id };
  return entry && isSingleFile ? { kind: "version", entry } : { kind: "folder", id: currentFolderId };
}

/** Returns the target folder of dragged entries, or null if they cannot be moved there. */
export function resolveMoveTarget(hoverTarget: HoverTarget, dragged: readonly FileEntry[], { tree, entries }: DropContext): number | null {
  if (hoverTarget === null || hoverTarget.kind === "here") return null;
  const id = hoverTarget.kind === "folder" ? hoverTarget.id : entries.find((entry) => entry.id === hoverTarget.id && entry.is_folder)?.id;
  return id === undefined || moveTargetDisabledReason(dragged, id, tree) !== null ? null : id;
}
