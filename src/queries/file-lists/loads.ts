/** What the live channel tells while a listing or the folders are being loaded may be missing in what comes: it is put into it too. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { FileNews } from "../files/news.ts";
import { changed } from "./change.ts";

const underWay = new WeakMap<QueryClient, Set<FileNews[]>>();

/** Loads what belongs under a key of this room. */
export async function loadWithNews<T extends object>(client: QueryClient, queryKey: QueryKey, load: () => Promise<T>): Promise<T> {
  const loads = underWay.get(client) ?? new Set();
  underWay.set(client, loads);
  const heard: FileNews[] = [];
  loads.add(heard);
  try {
    const data: T = await load();
    return heard.reduce<T>((now, news) => (changed(client, queryKey, now, news) as T | null) ?? now, data);
  } finally {
    loads.delete(heard);
  }
}

/** Every load that is under way hears of it. */
export function noteNews(client: QueryClient, news: FileNews): void {
  for (const heard of underWay.get(client) ?? []) heard.push(news);
}
