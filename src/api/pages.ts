/** Fetches every page of a cursor list, for lists that are shown whole (projects, people). */
export async function fetchAllPages<T>(fetchPage: (cursor: string | undefined) => Promise<{ data: T[]; next_cursor: string | null }>): Promise<T[]> {
  const items: T[] = [];
  const seenCursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    items.push(...page.data);
    cursor = page.next_cursor ?? undefined;
    // A service that returns the same cursor twice must not cause an endless loop.
    if (cursor !== undefined && seenCursors.has(cursor)) break;
    if (cursor !== undefined) seenCursors.add(cursor);
  } while (cursor !== undefined);
  return items;
}
