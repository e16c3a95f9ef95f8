/** Files that come back with a status that was deleted meanwhile get what took its place, as if they had been there then; else none. */
import { sql } from "kysely";
import { lockRows } from "../../db/portable.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { Actor } from "../access.ts";
import type { FilesDeps } from "./deps.ts";
import { recordReplaced } from "./status-replacing.ts";
import { deletedTree, filesInTree } from "./tree.ts";

type Status = Row<"file_statuses">;
/** Parameters of one statement are limited on both engines. */
const IDS_AT_ONCE = 1_000;

/** The first that is still there of those that took each other's place. */
function successorOf(status: Status, all: ReadonlyMap<number, Status>): Status | null {
  let at: Status | undefined = status;
  while (at && at.deleted_at !== null) at = at.replaced_by === null ? undefined : all.get(at.replaced_by);
  return at ?? null;
}

/** To be called before the files below `tops` come back. From here on none of their team's statuses is deleted. */
export async function renewStatuses(tx: Tx, deps: FilesDeps, actor: Actor, tops: readonly number[]): Promise<() => Promise<void>> {
  const { rows } = await sql<{ status_id: number }>`${deletedTree(tops)} select distinct files.status_id from ${filesInTree}
    and files.status_id is not null`.execute(tx);
  const [first] = rows;
  if (!first) return async () => {};
  const ofTeam = tx.selectFrom("file_statuses").select("team_id").where("id", "=", first.status_id);
  const all = new Map(
    (await lockRows(tx.selectFrom("file_statuses").selectAll().where("team_id", "=", ofTeam).orderBy("id"), deps.database.engine, "share").execute()).map(
      (one) => [one.id, one],
    ),
  );
  const { rows: files } = await sql<{ id: number; status_id: number }>`${deletedTree(tops)} select files.id, files.status_id from ${filesInTree}
    and files.status_id in (select gone.id from file_statuses gone where gone.deleted_at is not null)`.execute(tx);
  const byStatus = Map.groupBy(files, ({ status_id }) => status_id);
  return async () => {
    for (const [id, some] of byStatus) {
      const from = all.get(id);
      if (!from) continue;
      const to = successorOf(from, all);
      const renewed: Row<"files">[] = [];
      for (let at = 0; at < some.length; at += IDS_AT_ONCE)
        renewed.push(
          ...(await tx
            .updateTable("files")
            .set({ status_id: to?.id ?? null, status_rank: to?.position ?? -1 })
            .where(
              "id",
              "in",
              some.slice(at, at + IDS_AT_ONCE).map((file) => file.id),
            )
            .returningAll()
            .execute()),
        );
      if (to) await recordReplaced(tx, deps, actor, renewed, from, to);
    }
  };
}
