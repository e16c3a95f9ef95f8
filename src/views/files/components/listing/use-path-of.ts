import { useMemo } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { useFilesRoom } from "../files-room.ts";

/** The folders between the open one and an entry below it, as "Stems / Drums"; "" directly in it. Where they are not known, as the service has told. */
export function usePathOf(): (entry: FileEntry) => string {
  const { tree, folder } = useFilesRoom();
  return useMemo(() => {
    const known = new Map<number, string>();
    return (entry) => {
      const { parent_id } = entry;
      if (parent_id === null || !tree.get(parent_id)) return entry.path?.replaceAll("/", " / ") ?? "";
      let path = known.get(parent_id);
      if (path === undefined) {
        const way = tree.wayTo(parent_id);
        path = way
          .slice(way.findIndex(({ id }) => id === folder.id) + 1)
          .map(({ name }) => name)
          .join(" / ");
        known.set(parent_id, path);
      }
      return path;
    };
  }, [tree, folder.id]);
}
