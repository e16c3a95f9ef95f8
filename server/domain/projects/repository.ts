/** SQL for projects from one reader's view, with their unread counts. */
import { sql } from "kysely";
import type { Db } from "../../db/schema.ts";
import { visibleProjects, type Actor } from "../access.ts";
import { mentionCount, unreadCount } from "../unread.ts";

export function projectsForReader(db: Db, actor: Actor) {
  return visibleProjects(db, actor)
    .leftJoin("read_markers", (join) => join.onRef("read_markers.project_id", "=", "projects.id").on("read_markers.account_id", "=", actor.accountId))
    .selectAll("projects")
    .select("read_markers.last_read_message_id")
    .select(unreadCount(actor.accountId, sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")).as("unread_count"))
    .select(mentionCount(actor.accountId, sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")).as("mention_count"));
}
