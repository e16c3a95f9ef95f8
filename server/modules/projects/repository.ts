/** SQL for projects from one reader's view, with their unread counts, and for the accounts that can see a project. */
import { sql } from "kysely";
import { MANAGER_ROLES } from "../../../contract/policy.ts";
import { type Actor, visibleProjects } from "../../access/access.ts";
import type { Db } from "../../db/schema.ts";
import { mentionCount, unreadCount } from "./unread.ts";

export function projectsForReader(db: Db, actor: Actor) {
  return visibleProjects(db, actor)
    .leftJoin("read_markers", (join) => join.onRef("read_markers.project_id", "=", "projects.id").on("read_markers.account_id", "=", actor.accountId))
    .selectAll("projects")
    .select("read_markers.last_read_message_id")
    .select(unreadCount(actor.accountId, sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")).as("unread_count"))
    .select(mentionCount(actor.accountId, sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")).as("mention_count"));
}

/** Queries the audience of a project: its members, and the organization's owners and admins; nobody while it is deleted. */
export function audienceOf(db: Db, projectId: number) {
  return db
    .selectFrom("accounts")
    .where("accounts.disabled_at", "is", null)
    .where("accounts.organisation_id", "=", (eb) =>
      eb
        .selectFrom("projects")
        .innerJoin("teams", "teams.id", "projects.team_id")
        .where("projects.id", "=", projectId)
        .where("projects.deleted_at", "is", null)
        .select("teams.organisation_id"),
    )
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("accounts.role", "in", MANAGER_ROLES),
        exists(
          selectFrom("project_members")
            .select("project_members.account_id")
            .where("project_members.project_id", "=", projectId)
            .whereRef("project_members.account_id", "=", "accounts.id"),
        ),
      ]),
    );
}
