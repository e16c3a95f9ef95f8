/** Changes of status that no person asks for: a deleted status is replaced on its files, and a new version resets its file's status. */
import type { Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { iso } from "../../lib/iso-time.ts";
import { enqueueWebhookEvent } from "../webhooks/webhook-events.ts";
import type { FilesDeps } from "./deps.ts";
import { presentFileStatus } from "./presenter.ts";
import { loadFileViews } from "./repository.ts";

type Status = Row<"file_statuses">;
/** Maximum files per batch. */
const BATCH_SIZE = 500;

export interface StatusTransition {
  from: Status;
  to: Status;
}

/**
 * Returns the change of status that a new version of the file causes; null if there is none. The status goes back to the team's status of new uploads, or
 * else to its first. Requires that the caller has locked the project's topic, and locks the team's statuses until the commit.
 */
export async function prepareStatusReset(tx: Tx, engine: Engine, { id, project_id }: Row<"files">): Promise<StatusTransition | null> {
  const teamId = tx.selectFrom("projects").select("team_id").where("id", "=", project_id);
  // Every change of a team's statuses locks the team first.
  const team = await lockRows(tx.selectFrom("teams").selectAll().where("id", "=", teamId), engine, "share").executeTakeFirstOrThrow();
  if (team.new_version_resets_status === 0) return null;
  const { status_id } = await tx.selectFrom("files").select("status_id").where("id", "=", id).executeTakeFirstOrThrow();
  if (status_id === null) return null;
  const statuses = await tx
    .selectFrom("file_statuses")
    .selectAll()
    .where("team_id", "=", team.id)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const from = statuses.find((status) => status.id === status_id);
  const to = statuses.find((status) => status.id === team.default_status_id) ?? statuses[0];
  return from && to && from !== to ? { from, to } : null;
}

/** Records the history of files whose status has just been changed, and enqueues their webhook events. */
export async function recordStatusChanges(
  tx: Tx,
  deps: FilesDeps,
  actor: Actor,
  files: readonly Row<"files">[],
  { from, to }: StatusTransition,
  note = "",
): Promise<void> {
  const now = deps.clock.now();
  const sortedFiles = files.toSorted((left, right) => left.id - right.id);
  for (let offset = 0; offset < sortedFiles.length; offset += BATCH_SIZE) {
    const batch = sortedFiles.slice(offset, offset + BATCH_SIZE);
    await tx
      .insertInto("status_changes")
      .values(batch.map(({ id }) => ({ file_id: id, old_status_id: from.id, new_status_id: to.id, note, account_id: actor.accountId, created_at: now })))
      .execute();
    for (const view of await loadFileViews(tx, batch))
      await enqueueWebhookEvent(tx, deps, actor.organisationId, "file.status_changed", {
        ...deps.present.presentFile(view),
        old_status: presentFileStatus(from),
        new_status: presentFileStatus(to),
        change_status_time: iso(now),
        changed_by_account_id: actor.accountId,
      });
  }
}

export function createStatusReplacing(deps: FilesDeps) {
  const projectsOf = (db: Db) => db.selectFrom("projects").select("id").where("deleted_at", "is", null);
  return {
    /** Files in archived projects count: a status is the team's, and they get the replacement too. */
    async countFiles(db: Db, statusId: number): Promise<number> {
      const { count } = await db
        .selectFrom("files")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("status_id", "=", statusId)
        .where("deleted_at", "is", null)
        .where("project_id", "in", projectsOf(db))
        .executeTakeFirstOrThrow();
      return count;
    },

    updateStatusRank: async (tx: Tx, statusId: number, position: number): Promise<void> =>
      void (await tx.updateTable("files").set({ status_rank: position }).where("status_id", "=", statusId).execute()),

    /** Deleted files, and those of deleted projects, keep the old status until they are restored. */
    async replace(tx: Tx, actor: Actor, from: Status, to: Status): Promise<void> {
      const files = await tx
        .updateTable("files")
        .set((eb) => ({ status_id: to.id, status_rank: to.position, revision: eb("revision", "+", 1) }))
        .where("status_id", "=", from.id)
        .where("deleted_at", "is", null)
        .where("project_id", "in", projectsOf(tx))
        .returningAll()
        .execute();
      await recordStatusChanges(tx, deps, actor, files, { from, to });
    },
  };
}
