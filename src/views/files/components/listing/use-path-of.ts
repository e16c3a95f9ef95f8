import { useMemo } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { createPathLookup } from "../../model/path-below.ts";
import { useFilesContext } from "../files-room.ts";

/** The folders between the open one and an entry below it, as "Stems / Drums"; "" directly in it. */
export function useEntryPath(): (entry: FileEntry) => string {
  const { tree, folder } = useFilesContext();
  return useMemo(() => createPathLookup(tree, folder.id), [tree, folder.id]);
}
