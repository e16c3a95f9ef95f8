/** Queries the audience of a project: its members, and the organisation's owners and admins. */
import type { Db } from "../db/schema.ts";

export function audienceOf(db: Db, projectId: number) {
  return db
    .selectFrom("accounts")
    .where("accounts.disabled_at", "is", null)
    .where("accounts.organisation_id", "=", (eb) =>
      eb.selectFrom("projects").innerJoin("teams", "teams.id", "projects.team_id").where("projects.id", "=", projectId).select("teams.organisation_id"),
    )
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("accounts.role", "in", ["owner", "admin"]),
        exists(
          selectFrom("project_members")
            .select("project_members.account_id")
            .where("project_members.project_id", "=", projectId)
            .whereRef("project_members.account_id", "=", "accounts.id"),
        ),
      ]),
    );
}
