/** Erases the projects that can no longer be restored. */
import { audit } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { HIDDEN_FOR_ERASING, PROJECT_RETENTION_MS } from "../projects/project-retention.ts";
import type { ProjectErasure } from "./erase-project.ts";

/** Erases what is due, and returns the number of projects. An interrupted run is continued by the next one. */
export async function eraseDeletedProjects({ database, clock }: Pick<ModuleDeps, "database" | "clock">, { erase }: ProjectErasure): Promise<number> {
  const due = await database.backgroundRead
    .selectFrom("projects")
    .select("id")
    .where("deleted_at", "<=", clock.now() - PROJECT_RETENTION_MS)
    .where("deleted_at", "!=", HIDDEN_FOR_ERASING)
    .orderBy("id")
    .execute();
  for (const { id } of due) {
    await erase(id, {
      onErased: (tx, organisationId) =>
        audit(tx, clock.now(), { organisationId, accountId: null, action: "project.erased", target: `project:${id}`, address: null }),
    });
  }
  return due.length;
}
