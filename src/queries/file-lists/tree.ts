/** The folders of a project as a tree: who lies in whom, and the way up. */
import type { FileEntry } from "../../../contract/file-records.ts";

export type Folder = Pick<FileEntry, "id" | "name" | "parent_id">;

/** No way up is longer: a service that tells of a circle must not keep us in it. */
const DEEPEST = 200;

export interface Tree<F extends Folder = Folder> {
  get(id: number): F | undefined;
  /** The folders in a folder, in the order they were given. */
  below(id: number | null): readonly F[];
  /** The folder itself last, the root first; empty where it is not there. */
  wayTo(id: number): readonly F[];
  /** Whether `id` is `top` or lies somewhere below it; undefined where nothing is known of `id`. */
  isIn(id: number | null, top: number): boolean | undefined;
}

export function treeOf<F extends Folder>(folders: readonly F[]): Tree<F> {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const byParent = Map.groupBy(folders, ({ parent_id }) => parent_id);
  const wayTo = (id: number): F[] => {
    const way: F[] = [];
    for (let at = byId.get(id); at && way.length < DEEPEST; at = at.parent_id === null ? undefined : byId.get(at.parent_id)) way.unshift(at);
    return way;
  };
  return {
    get: (id) => byId.get(id),
    below: (id) => byParent.get(id) ?? [],
    wayTo,
    isIn: (id, top) => (id === top ? true : id === null || !byId.has(id) ? undefined : wayTo(id).some((one) => one.id === top)),
  };
}
