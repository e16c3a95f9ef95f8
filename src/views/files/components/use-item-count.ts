import type { FileEntry } from "../../../../contract/file-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/messages/files.ts";
import { useFilesContext } from "./files-room.ts";

/** Returns the number of items in a folder. Prefers the project's folder tree, because the count in the entry itself can be outdated. */
export const useItemCount = (entry: FileEntry): number | undefined => useFilesContext().tree.get(entry.id)?.item_count ?? entry.item_count;

/** Formats the count. The service does not count beyond `LIMITS.item_count_max`. */
export const formatItemCount = (count: number): string => t(count >= LIMITS.item_count_max ? "itemsAtLeast" : "items", { count });
