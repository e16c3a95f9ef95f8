/** Hides projects that a job erases, so that nothing more is added to them meanwhile. */
import type { ModuleDeps } from "../../access/deps.ts";
import { lockTopics } from "../../db/engine-sql.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { HIDDEN_FOR_ERASING } from "./project-retention.ts";
import { audienceOf } from "./repository.ts";

/** Nobody sees the projects from now on, not among the deleted ones either. The caller erases them, since nothing else does, and publishes unread counts. */
export async function hideForErasing(tx: Tx, { database, events }: Pick<ModuleDeps, "database" | "events">, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await lockTopics(tx, database.engine, ids.map(topicOf.project));
  for (const { id, name, deleted_at } of await tx.selectFrom("projects").select(["id", "name", "deleted_at"]).where("id", "in", ids).orderBy("id").execute()) {
    const audience = await audienceOf(tx, id).select("accounts.id").execute();
    await tx.updateTable("projects").set({ deleted_at: HIDDEN_FOR_ERASING }).where("id", "=", id).execute();
    if (deleted_at !== null) continue;
    await events.append(tx, topicOf.project(id), "project.deleted", { id, name });
    events.appendToAccounts(
      tx,
      audience.map((account) => account.id),
      "projects.changed",
      { project_id: id },
    );
  }
}
