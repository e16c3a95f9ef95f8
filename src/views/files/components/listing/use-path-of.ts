import { useMemo } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { pathBelow } from "../../model/path-below.ts";
import { useFilesRoom } from "../files-room.ts";

/** The folders between the open one and an entry below it, as "Stems / Drums"; "" directly in it. */
export function usePathOf(): (entry: FileEntry) => string {
  const { tree, folder } = useFilesRoom();
  return useMemo(() => pathBelow(tree, folder.id), [tree, folder.id]);
}
