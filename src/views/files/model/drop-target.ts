/** Where something lands that is held over the files view. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { moveTargetDisabledReason } from "../../../queries/file-actions/permissions.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";

/** What is under the pointer, as the page tells it. */
export type HoverTarget = { kind: "folder"; id: number } | { kind: "entry"; id: number } | { kind: "here" } | null;

export type DropTarget = { kind: "folder"; id: number } | { kind: "version"; entry: FileEntry };

interface DropContext {
  currentFolderId: number;
  tree: Tree<FileEntry>;
  entries: readonly FileEntry[];
}

/** Files of the desktop: into a folder, one onto a file as its version, else into the folder that is open. `isSingleFile`: as far as the browser tells. */
export function resolveFileDrop(hoverTarget: HoverTarget, { currentFolderId, tree, entries }: DropContext, isSingleFile: boolean): DropTarget | null {
  if (hoverTarget === null) return null;
  if (hoverTarget.kind === "here") return { kind: "folder", id: currentFolderId };
  if (hoverTarget.kind === "folder") return tree.get(hoverTarget.id) ? { kind: "folder", id: hoverTarget.id } : null;
  const entry = entries.find(({ id }) => id === hoverTarget.id);
  if (entry?.is_folder) return { kind: "folder", id: entry.id };
  return entry && isSingleFile ? { kind: "version", entry } : { kind: "folder", id: currentFolderId };
}

/** Entries of the view itself: into folders only, and never where they cannot go. */
export function resolveMoveTarget(hoverTarget: HoverTarget, dragged: readonly FileEntry[], { tree, entries }: DropContext): number | null {
  if (hoverTarget === null || hoverTarget.kind === "here") return null;
  const id = hoverTarget.kind === "folder" ? hoverTarget.id : entries.find((entry) => entry.id === hoverTarget.id && entry.is_folder)?.id;
  return id === undefined || moveTargetDisabledReason(dragged, id, tree) !== null ? null : id;
}
