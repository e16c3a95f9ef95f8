import type { FileEntry } from "../../../../contract/file-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/messages/files.ts";
import { useFilesContext } from "./files-room.ts";

/** How many lie in a folder, as the project's folders tell it: its own record says how many there were. */
export const useItemCount = (entry: FileEntry): number | undefined => useFilesContext().tree.get(entry.id)?.item_count ?? entry.item_count;

/** The same in words; the service counts no further than it promises. */
export const formatItemCount = (count: number): string => t(count >= LIMITS.item_count_max ? "itemsAtLeast" : "items", { count });
