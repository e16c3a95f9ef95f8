/** The cached folders of a project after one piece of news. */
import type { FileEntry } from "../../../contract/file-records.ts";
import type { FileNews } from "../files/news.ts";
import { treeOf } from "./tree.ts";

/** The folders with a new, changed, moved or deleted one. */
export function folderNews(folders: readonly FileEntry[], projectId: number, news: FileNews): readonly FileEntry[] {
  if (news.type === "deleted") {
    if (!folders.some(({ id }) => id === news.id)) return folders;
    const tree = treeOf(folders);
    return folders.filter(({ id }) => tree.isIn(id, news.id) !== true);
  }
  if (news.type === "status" || news.type === "unread" || !news.entry.is_folder || news.entry.project_id !== projectId) return folders;
  const { entry } = news;
  const at = folders.findIndex(({ id }) => id === entry.id);
  if (at < 0) return [...folders, entry];
  return folders[at]!.revision > entry.revision ? folders : folders.with(at, { ...entry, item_count: entry.item_count ?? folders[at]!.item_count });
}

/** Whether with this folder many others have changed their place, without a word of their own: it was moved, deleted or brought back. */
export function takesOthersAlong(folders: readonly FileEntry[], news: FileNews): boolean {
  if (news.type === "status" || news.type === "unread") return false;
  const id = news.type === "deleted" ? news.id : news.entry.id;
  const known = folders.find((folder) => folder.id === id);
  if (news.type === "deleted") return known !== undefined;
  if (!news.entry.is_folder) return false;
  return known ? known.parent_id !== news.entry.parent_id : news.entry.item_count !== 0;
}
