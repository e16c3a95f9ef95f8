/** Arranges a project's folders as a tree, and applies file events to the cached folders. */
import { compareKeys, nameOrderKey } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import { memoizeByIdentity } from "../../lib/memoize-by-identity.ts";
import type { FileEvent } from "../files/file-updates.ts";

export type Folder = Pick<FileEntry, "id" | "name" | "parent_id">;

/** Bounds the path length, so that a cycle in the service's data cannot cause an endless loop. */
const MAX_DEPTH = 200;

export interface FolderHierarchy<F extends Folder = Folder> {
  get(id: number): F | undefined;
  /** Returns the child folders in their original order. */
  childrenOf(id: number | null): readonly F[];
  /** Returns the path from the root to the folder itself; empty for an unknown id. */
  pathTo(id: number): readonly F[];
  /** Returns whether `id` is `ancestorId` or lies below it; undefined when `id` is unknown. */
  isIn(id: number | null, ancestorId: number): boolean | undefined;
}

export function buildTree<F extends Folder>(folders: readonly F[]): FolderHierarchy<F> {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const byParent = Map.groupBy(folders, ({ parent_id }) => parent_id);
  const pathTo = (id: number): F[] => {
    const path: F[] = [];
    for (let current = byId.get(id); current && path.length < MAX_DEPTH; current = current.parent_id === null ? undefined : byId.get(current.parent_id))
      path.unshift(current);
    return path;
  };
  return {
    get: (id) => byId.get(id),
    childrenOf: (id) => byParent.get(id) ?? [],
    pathTo,
    isIn: (id, ancestorId) => (id === ancestorId ? true : id === null || !byId.has(id) ? undefined : pathTo(id).some((ancestor) => ancestor.id === ancestorId)),
  };
}

/** Returns the tree of a project's folders, the same one for the same folders. */
export const treeOf = memoizeByIdentity((folders: readonly FileEntry[]) => buildTree(folders));

/** Returns the folders in the order of their names, as a listing does. */
export const sortFolders = <F extends Folder>(folders: readonly F[]): F[] =>
  folders
    .map((folder) => ({ folder, key: nameOrderKey(folder.name, true) }))
    .toSorted((a, b) => compareKeys(a.key, b.key) || a.folder.id - b.folder.id)
    .map(({ folder }) => folder);

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
