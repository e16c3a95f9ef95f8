import { useMemo } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { createPathLookup } from "../../model/path-below.ts";
import { useFilesContext } from "../files-room.ts";

/** Returns the folders between the open folder and an entry below it, such as "Stems / Drums"; "" if the entry is directly in the open folder. */
export function useEntryPath(): (entry: FileEntry) => string {
  const { tree, folder } = useFilesContext();
  return useMemo(() => createPathLookup(tree, folder.id), [tree, folder.id]);
}
