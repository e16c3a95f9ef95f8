/** Applies file events to the cached folders of a project. */
import type { FileEntry } from "../../../contract/file-records.ts";
import type { FileEvent } from "../files/news.ts";
import { buildTree } from "./tree.ts";

/** Returns the folders after one was created, changed, moved or deleted. */
export function applyToFolders(folders: readonly FileEntry[], projectId: number, event: FileEvent): readonly FileEntry[] {
  if (event.type === "deleted") {
    if (!folders.some(({ id }) => id === event.id)) return folders;
    const tree = buildTree(folders);
    return folders.filter(({ id }) => tree.isIn(id, event.id) !== true);
  }
  if (event.type === "status" || event.type === "unread" || !event.entry.is_folder || event.entry.project_id !== projectId) return folders;
  const { entry } = event;
  const index = folders.findIndex(({ id }) => id === entry.id);
  if (index < 0) return [...folders, entry];
  return folders[index]!.revision > entry.revision ? folders : folders.with(index, { ...entry, item_count: entry.item_count ?? folders[index]!.item_count });
}

/** Returns whether a folder was moved, deleted or restored, which moves everything below it without further events. */
export function movesSubtree(folders: readonly FileEntry[], event: FileEvent): boolean {
  if (event.type === "status" || event.type === "unread") return false;
  const id = event.type === "deleted" ? event.id : event.entry.id;
  const existing = folders.find((folder) => folder.id === id);
  if (event.type === "deleted") return existing !== undefined;
  if (!event.entry.is_folder) return false;
  return existing ? existing.parent_id !== event.entry.parent_id : event.entry.item_count !== 0;
}
