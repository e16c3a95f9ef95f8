/** Gives restored files whose status was deleted meanwhile the replacement of that status, or no status if it has no replacement. */
import { sql } from "kysely";
import type { Actor } from "../../access/access.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { FilesDeps } from "./deps.ts";
import { recordStatusChanges } from "./status-replacement.ts";
import { deletedTree, filesInTree } from "./tree.ts";

type Status = Row<"file_statuses">;
/** Both engines limit the parameters of one statement. */
const MAX_IDS_PER_QUERY = 1_000;

/** Follows the chain of replacements to the first status that is not deleted. */
function findSuccessor(status: Status, statuses: ReadonlyMap<number, Status>): Status | null {
  let current: Status | undefined = status;
  while (current && current.deleted_at !== null) current = current.replaced_by === null ? undefined : statuses.get(current.replaced_by);
  return current ?? null;
}

/** Locks the statuses of the team to which one of these belongs against deletion until the transaction ends. */
async function lockStatuses(tx: Tx, deps: FilesDeps, statusId: number): Promise<Map<number, Status>> {
  const teamId = tx.selectFrom("file_statuses").select("team_id").where("id", "=", statusId);
  const query = tx.selectFrom("file_statuses").selectAll().where("team_id", "=", teamId).orderBy("id");
  return new Map((await lockRows(query, deps.database.engine, "share").execute()).map((status) => [status.id, status]));
}

async function applyReplacements(
  tx: Tx,
  deps: FilesDeps,
  actor: Actor,
  files: readonly { id: number; status_id: number | null }[],
  statuses: ReadonlyMap<number, Status>,
): Promise<void> {
  for (const [id, filesWithStatus] of Map.groupBy(files, ({ status_id }) => status_id ?? 0)) {
    const from = statuses.get(id);
    if (!from) continue;
    const to = findSuccessor(from, statuses);
    const updatedFiles: Row<"files">[] = [];
    for (let offset = 0; offset < filesWithStatus.length; offset += MAX_IDS_PER_QUERY)
      updatedFiles.push(
        ...(await tx
          .updateTable("files")
          .set({ status_id: to?.id ?? null, status_rank: to?.position ?? -1 })
          .where(
            "id",
            "in",
            filesWithStatus.slice(offset, offset + MAX_IDS_PER_QUERY).map((file) => file.id),
          )
          .returningAll()
          .execute()),
      );
    if (to) await recordStatusChanges(tx, deps, actor, updatedFiles, { from, to });
  }
}

/** Call this before the files below `topIds` are restored, and the returned function after that. Locks their team's statuses until the transaction ends. */
export async function prepareStatusReplacement(tx: Tx, deps: FilesDeps, actor: Actor, topIds: readonly number[]): Promise<() => Promise<void>> {
  const { rows } = await sql<{ status_id: number }>`${deletedTree(topIds)} select distinct files.status_id from ${filesInTree}
    and files.status_id is not null`.execute(tx);
  const [first] = rows;
  if (!first) return async () => {};
  const statuses = await lockStatuses(tx, deps, first.status_id);
  const { rows: files } = await sql<{ id: number; status_id: number }>`${deletedTree(topIds)} select files.id, files.status_id from ${filesInTree}
    and files.status_id in (select gone.id from file_statuses gone where gone.deleted_at is not null)`.execute(tx);
  return () => applyReplacements(tx, deps, actor, files, statuses);
}

/** The same for all files of a project that has just been restored; those that were deleted in it wait until they are restored themselves. */
export async function replaceStatusesOfProject(tx: Tx, deps: FilesDeps, actor: Actor, projectId: number): Promise<void> {
  const ofProject = tx.selectFrom("files").where("project_id", "=", projectId).where("deleted_at", "is", null).where("status_id", "is not", null);
  const first = await ofProject.select("status_id").limit(1).executeTakeFirst();
  if (!first?.status_id) return;
  const statuses = await lockStatuses(tx, deps, first.status_id);
  const gone = tx.selectFrom("file_statuses").select("id").where("deleted_at", "is not", null);
  await applyReplacements(tx, deps, actor, await ofProject.where("status_id", "in", gone).select(["id", "status_id"]).orderBy("id").execute(), statuses);
}
