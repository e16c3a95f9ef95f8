/** The folders of a project as a tree. */
import type { FileEntry } from "../../../contract/file-records.ts";

export type Folder = Pick<FileEntry, "id" | "name" | "parent_id">;

/** Bounds the path length, so that a cycle in the service's data cannot cause an endless loop. */
const MAX_DEPTH = 200;

export interface Tree<F extends Folder = Folder> {
  get(id: number): F | undefined;
  /** Returns the child folders in their original order. */
  childrenOf(id: number | null): readonly F[];
  /** Returns the path from the root to the folder itself; empty for an unknown id. */
  pathTo(id: number): readonly F[];
  /** Returns whether `id` is `ancestorId` or lies below it; undefined when `id` is unknown. */
  isIn(id: number | null, ancestorId: number): boolean | undefined;
}

export function buildTree<F extends Folder>(folders: readonly F[]): Tree<F> {
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
