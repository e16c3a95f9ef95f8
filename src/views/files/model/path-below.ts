import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";

/** Tells of entries below a folder which folders lie between, each way looked up once. Where they are not known, as the service has told. */
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
