import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";

/**
 * Creates a cached lookup of the folders between `folderId` and an entry below it. If the entry's parent is not in
 * the tree, the path from the service is used.
 */
export function createPathLookup(tree: Tree, folderId: number): (entry: Pick<FileEntry, "parent_id" | "path">) => string {
  const pathByParent = new Map<number, string>();
  return ({ parent_id, path: storedPath }) => {
    if (parent_id === null || !tree.get(parent_id)) return storedPath?.replaceAll("/", " / ") ?? "";
    let path = pathByParent.get(parent_id);
    if (path === undefined) {
      const ancestors = tree.pathTo(parent_id);
      path = ancestors
        .slice(ancestors.findIndex(({ id }) => id === folderId) + 1)
        .map(({ name }) => name)
        .join(" / ");
      pathByParent.set(parent_id, path);
    }
    return path;
  };
}
