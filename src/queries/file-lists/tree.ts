/** The folders of a project as a tree: who lies in whom, and the way up. */
import type { FileEntry } from "../../../contract/file-records.ts";

export type Folder = Pick<FileEntry, "id" | "name" | "parent_id">;

/** No way up is longer: a service that tells of a circle must not keep us in it. */
const MAX_DEPTH = 200;

export interface Tree<F extends Folder = Folder> {
  get(id: number): F | undefined;
  /** The folders in a folder, in the order they were given. */
  childrenOf(id: number | null): readonly F[];
  /** The folder itself last, the root first; empty where it is not there. */
  pathTo(id: number): readonly F[];
  /** Whether `id` is `ancestorId` or lies somewhere below it; undefined where nothing is known of `id`. */
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
