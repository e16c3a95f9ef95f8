/** Applies one file event to cached file lists. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import { isSameStatus } from "../files/cache.ts";
import type { FileEvent } from "../files/news.ts";
import { matchesQuery } from "./fits.ts";
import { applyToFolders } from "./folders.ts";
import { fileListKeys } from "./keys.ts";
import { updateEntry, applyListingEvent, type Listing, type ListingRules } from "./listing.ts";
import { compareBy } from "./order.ts";
import { buildTree, type Tree } from "./tree.ts";
import type { FileListQuery } from "./wish.ts";

const trees = new WeakMap<readonly FileEntry[], Tree<FileEntry>>();

/** Returns the tree of the project's cached folders; undefined when none are cached. */
export function cachedTree(client: QueryClient, projectId: number): Tree<FileEntry> | undefined {
  const folders = client.getQueryData<FileEntry[]>(fileListKeys.folders(projectId));
  if (!folders) return undefined;
  const tree = trees.get(folders) ?? buildTree(folders);
  trees.set(folders, tree);
  return tree;
}

/** Returns the data under a key after the event: the same object when unaffected, null when only the service knows the result. */
export function applyFileEvent(client: QueryClient, queryKey: QueryKey, data: object, event: FileEvent): object | null {
  const [, projectId, kind, query] = queryKey as [string, number, string, FileListQuery];
  if (kind === "folders") return applyToFolders(data as FileEntry[], projectId, event);
  if (kind === "list") return applyToListing(data as Listing, projectId, query, cachedTree(client, projectId), event);
  return data;
}

function applyToListing(listing: Listing, projectId: number, query: FileListQuery, tree: Tree | undefined, event: FileEvent): Listing | null {
  if (event.type === "deleted") return applyListingEvent(listing, { removedId: event.id }, listingRules(query, tree));
  if (event.type === "status")
    return updateEntry(listing, event.id, (entry) => (isSameStatus(entry.status, event.status) ? entry : { ...entry, status: event.status }));
  if (event.type === "unread")
    return updateEntry(listing, event.id, (entry) =>
      entry.has_unread_comments === event.hasUnread ? entry : { ...entry, has_unread_comments: event.hasUnread },
    );
  return event.entry.project_id === projectId ? applyListingEvent(listing, { entry: event.entry }, listingRules(query, tree)) : listing;
}

const listingRules = (query: FileListQuery, tree: Tree | undefined): ListingRules => ({
  compare: compareBy(query.sort, query.order),
  matches: (entry) => matchesQuery(query, tree, entry),
});
