/** What one piece of news changes in cached data of this room. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import { isSameStatus } from "../files/cache.ts";
import type { FileNews } from "../files/news.ts";
import { fits } from "./fits.ts";
import { folderNews } from "./folders.ts";
import { fileListKeys } from "./keys.ts";
import { withChange, withNews, type Listing, type Place } from "./listing.ts";
import { compareBy } from "./order.ts";
import { treeOf, type Tree } from "./tree.ts";
import type { Wish } from "./wish.ts";

const trees = new WeakMap<readonly FileEntry[], Tree<FileEntry>>();

/** The project's folders as they are cached; undefined while they are not. */
export function treeIn(client: QueryClient, projectId: number): Tree<FileEntry> | undefined {
  const folders = client.getQueryData<FileEntry[]>(fileListKeys.folders(projectId));
  if (!folders) return undefined;
  const tree = trees.get(folders) ?? treeOf(folders);
  trees.set(folders, tree);
  return tree;
}

/** The data under a key after the news; null where only the service can tell it. Data that is not concerned stays the same object. */
export function changed(client: QueryClient, queryKey: QueryKey, data: object, news: FileNews): object | null {
  const [, projectId, what, wish] = queryKey as [string, number, string, Wish];
  if (what === "folders") return folderNews(data as FileEntry[], projectId, news);
  if (what === "list") return listNews(data as Listing, projectId, wish, treeIn(client, projectId), news);
  return data;
}

function listNews(listing: Listing, projectId: number, wish: Wish, tree: Tree | undefined, news: FileNews): Listing | null {
  if (news.type === "deleted") return withNews(listing, { gone: news.id }, placeIn(wish, tree));
  if (news.type === "status")
    return withChange(listing, news.id, (entry) => (isSameStatus(entry.status, news.status) ? entry : { ...entry, status: news.status }));
  if (news.type === "unread")
    return withChange(listing, news.id, (entry) => (entry.has_unread_comments === news.has ? entry : { ...entry, has_unread_comments: news.has }));
  return news.entry.project_id === projectId ? withNews(listing, { entry: news.entry }, placeIn(wish, tree)) : listing;
}

const placeIn = (wish: Wish, tree: Tree | undefined): Place => ({ compare: compareBy(wish.sort, wish.order), fits: (entry) => fits(wish, tree, entry) });
