/** Formats what the files view shows of an entry as text: its accessible label, kind, item count and folder path. */
import type { EntryKind, FileEntry } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { formatAccessibleDuration, formatBpm, formatKey, formatSize } from "../../lib/format.ts";
import { t } from "../../lib/texts/files.ts";
import { formatShortDay } from "../../lib/time.ts";
import type { FolderHierarchy } from "../../queries/file-lists/folder-tree.ts";

/** Formats the accessible label of a row as one sentence. */
export function formatAccessibleLabel(entry: FileEntry, now: number, uploader?: string): string {
  return [
    entry.name,
    entry.is_folder ? t("oneFolder") : null,
    entry.status?.title,
    entry.duration > 0 ? formatAccessibleDuration(entry.duration) : null,
    entry.bpm > 0 ? t("bpmOf", { bpm: formatBpm(entry.bpm) }) : null,
    entry.key !== null ? formatKey(entry.key) : entry.unsure_key === undefined ? null : t("unsureKey", { key: formatKey(entry.unsure_key) }),
    entry.is_folder ? null : formatSize(entry.size),
    uploader,
    formatShortDay(entry.changed_at, now),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Returns the name under which a folder is shown. The root has the project's name. */
export const folderName = ({ name }: Pick<FileEntry, "name">): string => name;

/** Returns the label for several files of a kind. */
export const kindName = (kind: EntryKind): string => t(kind);

/** Formats the count. The service does not count beyond `LIMITS.item_count_max`. */
export const formatItemCount = (count: number): string => t(count >= LIMITS.item_count_max ? "itemsAtLeast" : "items", { count });

/**
 * Creates a cached lookup of the folders between `folderId` and an entry below it, such as "Stems / Drums"; "" if the entry is directly in the folder. If
 * the entry's parent is not in the tree, the path from the service is used.
 */
export function createPathLookup(tree: FolderHierarchy, folderId: number): (entry: Pick<FileEntry, "parent_id" | "path">) => string {
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
