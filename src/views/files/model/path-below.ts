import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";

/** Tells of entries below a folder which folders lie between, each way looked up once. Where they are not known, as the service has told. */
export function pathBelow(tree: Tree, folderId: number): (entry: Pick<FileEntry, "parent_id" | "path">) => string {
  const known = new Map<number, string>();
  return ({ parent_id, path: told }) => {
    if (parent_id === null || !tree.get(parent_id)) return told?.replaceAll("/", " / ") ?? "";
    let path = known.get(parent_id);
    if (path === undefined) {
      const way = tree.wayTo(parent_id);
      path = way
        .slice(way.findIndex(({ id }) => id === folderId) + 1)
        .map(({ name }) => name)
        .join(" / ");
      known.set(parent_id, path);
    }
    return path;
  };
}
