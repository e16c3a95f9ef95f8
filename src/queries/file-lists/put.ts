/** What answers and the live channel tell of files goes into every listing that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import { onFileNews, type FileNews } from "../files/news.ts";
import { renew } from "../renew.ts";
import { changed } from "./change.ts";
import { takesOthersAlong } from "./folders.ts";
import { fileListKeys } from "./keys.ts";
import { noteNews } from "./loads.ts";
import { isFiltered, type Wish } from "./wish.ts";

/** How many lie in each folder, and what a listing looks like that only the service can tell: a burst asks once. */
const AGAIN_MS = 2_000;

/** An entry is new or different: as the service has answered it. */
export const putEntry = (client: QueryClient, entry: FileEntry): void => putNews(client, { type: "updated", entry });

/** An entry is gone, with all below it. */
export const putGone = (client: QueryClient, id: number): void => putNews(client, { type: "deleted", id });

function putNews(client: QueryClient, news: FileNews): void {
  noteNews(client, news);
  const all = client.getQueryCache().findAll({ queryKey: fileListKeys.all });
  const moving = new Set(
    all.flatMap(({ queryKey: [, project, what], state: { data } }) =>
      what === "folders" && data && takesOthersAlong(data as FileEntry[], news) ? [project as number] : [],
    ),
  );
  // Listings before the folders, by which some of them know what belongs to them.
  const ordered = all.toSorted((a, b) => Number(a.queryKey[2] === "folders") - Number(b.queryKey[2] === "folders"));
  for (const { queryKey, state } of news.type === "deleted" ? ordered : ordered.toReversed()) {
    const [, project, what, wish] = queryKey as [string, number, string, Wish];
    if (state.data !== undefined) {
      const next = changed(client, queryKey, state.data as object, news);
      if (next === null) again(client, queryKey);
      else if (next !== state.data) client.setQueryData(queryKey, next);
    }
    if (what === "list" && isFiltered(wish) && moving.has(project)) again(client, queryKey);
    if (what === "folders" && news.type !== "status" && news.type !== "unread") again(client, queryKey);
  }
}

const waiting = new WeakMap<QueryClient, Set<string>>();
/** Loaded again soon. */
function again(client: QueryClient, queryKey: readonly unknown[]): void {
  const keys = waiting.get(client) ?? new Set();
  waiting.set(client, keys);
  const name = JSON.stringify(queryKey);
  if (keys.has(name)) return;
  keys.add(name);
  setTimeout(() => {
    keys.delete(name);
    renew(client, queryKey, true);
  }, AGAIN_MS);
}

onFileNews(putNews);
