/** Reads a cursor list to its end: for lists that a person sees whole (projects, people). */
export async function everyPage<T>(read: (cursor: string | undefined) => Promise<{ data: T[]; next_cursor: string | null }>): Promise<T[]> {
  const all: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    all.push(...page.data);
    cursor = page.next_cursor ?? undefined;
    // A service that hands out the same cursor twice must not keep us here for ever.
    if (cursor !== undefined && seen.has(cursor)) break;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return all;
}
