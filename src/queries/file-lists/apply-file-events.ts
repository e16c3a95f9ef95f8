/** Applies a file event to the data of one file list. */
import type { QueryKey } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { ClientData } from "../../client/client.ts";
import { memoizeByIdentity } from "../../lib/memoize-by-identity.ts";
import { type FileEvent, isSameStatus } from "../files/file-updates.ts";
import { applyToFolders, buildTree, type FolderHierarchy } from "./folder-tree.ts";
import { fileListKeys, type FileListQuery } from "./list-query.ts";
import { applyListingEvent, compareBy, type Listing, type ListingRules, matchesQuery, updateEntry } from "./listing.ts";

const treeOf = memoizeByIdentity((folders: readonly FileEntry[]) => buildTree(folders));

/** Returns the data under a key after the event: the same object when unaffected, null when the result must be refetched. */
export function withFileEvent(client: ClientData, queryKey: QueryKey, data: object, event: FileEvent): object | null {
  const [, projectId, kind, query] = queryKey as [string, number, string, FileListQuery];
  if (kind === "folders") return applyToFolders(data as FileEntry[], projectId, event);
  if (kind === "list") return applyToListing(data as Listing, projectId, query, cachedTree(client, projectId), event);
  return data;
}

function applyToListing(listing: Listing, projectId: number, query: FileListQuery, tree: FolderHierarchy | undefined, event: FileEvent): Listing | null {
  if (event.type === "deleted") return applyListingEvent(listing, { removedId: event.id }, listingRules(query, tree));
  if (event.type === "status")
    return updateEntry(listing, event.id, (entry) => (isSameStatus(entry.status, event.status) ? entry : { ...entry, status: event.status }));
  if (event.type === "unread")
    return updateEntry(listing, event.id, (entry) =>
      entry.has_unread_comments === event.hasUnread ? entry : { ...entry, has_unread_comments: event.hasUnread },
    );
  return event.entry.project_id === projectId ? applyListingEvent(listing, { entry: event.entry }, listingRules(query, tree)) : listing;
}

/** Returns the tree of the project's cached folders; undefined when none are cached. */
function cachedTree(client: ClientData, projectId: number): FolderHierarchy<FileEntry> | undefined {
  const folders = client.queryClient.getQueryData<FileEntry[]>(fileListKeys.folders(projectId));
  return folders && treeOf(folders);
}

const listingRules = (query: FileListQuery, tree: FolderHierarchy | undefined): ListingRules => ({
  compare: compareBy(query.sort, query.order),
  matches: (entry) => matchesQuery(query, tree, entry),
});
