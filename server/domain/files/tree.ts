/** The tree of folders in SQL: what lies below, and what lies above. */
import { sql } from "kysely";
import { evenly } from "../../db/portable.ts";
import type { Db, Row } from "../../db/schema.ts";

/** `with recursive …` of everything live below these entries and themselves: `id`, and as `top` under which of them. They must not lie in each other. */
export const liveTree = (topIds: readonly number[]) => sql`with recursive tree (id, top) as (
    select files.id, files.id from files where files.id in (${sql.join(evenly(topIds))}) and files.deleted_at is null
    union all
    select files.id, tree.top from files join tree on tree.id = files.parent_id where files.deleted_at is null
  )`;

/** The same of what was deleted in one act, below and with `topId`. */
export const deletedTree = (topId: number, deletedWith: number) => sql`with recursive tree (id) as (
    select files.id from files where files.id = ${topId}
    union all
    select files.id from files join tree on tree.id = files.parent_id where files.deleted_with = ${deletedWith}
  )`;

export type Above = Pick<Row<"files">, "id" | "parent_id" | "name" | "deleted_at">;

/** These entries and all folders above them, deleted ones too, by id. */
export async function aboveOf(db: Db, ids: readonly number[]): Promise<Map<number, Above>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Above>`with recursive above (id, parent_id, name, deleted_at) as (
      select id, parent_id, name, deleted_at from files where id in (${sql.join(evenly(ids))})
      union
      select files.id, files.parent_id, files.name, files.deleted_at from files join above on above.parent_id = files.id
    ) select * from above`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** From the entry's folder up to the root, by ids. */
export function chainOf(above: ReadonlyMap<number, Above>, id: number): number[] {
  const chain: number[] = [];
  for (let at = above.get(id)?.parent_id ?? null; at !== null; at = above.get(at)?.parent_id ?? null) chain.push(at);
  return chain;
}

/** Those of them that lie in none of the others, each once. What lies in one of them goes where that goes. */
export async function topsOf<T extends { id: number }>(db: Db, entries: readonly T[]): Promise<T[]> {
  const above = await aboveOf(
    db,
    entries.map(({ id }) => id),
  );
  const named = new Set(entries.map(({ id }) => id));
  const tops = entries.filter(({ id }) => !chainOf(above, id).some((folder) => named.has(folder)));
  return [...new Map(tops.map((entry) => [entry.id, entry])).values()];
}
