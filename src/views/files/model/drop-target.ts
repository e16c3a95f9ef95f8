/** Where something lands that is held over the files view. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { placeRefusal } from "../../../queries/file-actions/permissions.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";

/** What is under the pointer, as the page tells it. */
export type Under = { kind: "folder"; id: number } | { kind: "entry"; id: number } | { kind: "here" } | null;

export type DropTarget = { kind: "folder"; id: number } | { kind: "version"; entry: FileEntry };

interface Scene {
  here: number;
  tree: Tree<FileEntry>;
  entries: readonly FileEntry[];
}

/** Files of the desktop: into a folder, one onto a file as its version, else into the folder that is open. `isOne`: as far as the browser tells. */
export function fileTarget(under: Under, { here, tree, entries }: Scene, isOne: boolean): DropTarget | null {
  if (under === null) return null;
  if (under.kind === "here") return { kind: "folder", id: here };
  if (under.kind === "folder") return tree.get(under.id) ? { kind: "folder", id: under.id } : null;
  const entry = entries.find(({ id }) => id === under.id);
  if (entry?.is_folder) return { kind: "folder", id: entry.id };
  return entry && isOne ? { kind: "version", entry } : { kind: "folder", id: here };
}

/** Entries of the view itself: into folders only, and never where they cannot go. */
export function moveTarget(under: Under, dragged: readonly FileEntry[], { tree, entries }: Scene): number | null {
  if (under === null || under.kind === "here") return null;
  const id = under.kind === "folder" ? under.id : entries.find((entry) => entry.id === under.id && entry.is_folder)?.id;
  return id === undefined || placeRefusal(dragged, id, tree) !== null ? null : id;
}
