import type { FileEntry } from "../../../../contract/file-records.ts";
import { useFilesRoom } from "./files-room.ts";

/** How many lie in a folder, as the project's folders tell it: its own record says how many there were. */
export const useItemCount = (entry: FileEntry): number | undefined => useFilesRoom().tree.get(entry.id)?.item_count ?? entry.item_count;
