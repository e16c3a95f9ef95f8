/** All rows of a project, in the order in which they can be deleted: rows before those to which they refer. A test compares the list with the schema. */
import { sql, type RawBuilder } from "kysely";
import type { Engine } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { IndexedKind } from "../../db/search-index.ts";
import { topicOf } from "../../events/log.ts";

export interface ProjectRows {
  table: keyof Schema;
  /** Selects the project's rows. */
  where: RawBuilder<boolean>;
  /** The search index from which they go too. */
  index?: IndexedKind;
  /** The rows refer to versions of files (`version_id`), and go with them. */
  ofVersions?: true;
}

/** File versions are not in the list, because their bytes go first, and the project itself goes last. */
export function projectRows(id: number, engine: Engine): { beforeVersions: ProjectRows[]; afterVersions: ProjectRows[] } {
  const ofProject = sql<boolean>`project_id = ${id}`;
  const files = sql`(select id from files where project_id = ${id})`;
  const versions = sql`(select id from file_versions where file_id in ${files})`;
  const messages = sql`(select id from messages where project_id = ${id})`;
  const comments = sql`(select id from comments where project_id = ${id})`;
  const playlists = sql`(select id from playlists where project_id = ${id})`;
  const sentEvents = sql`(select id from outbound_events where ${ofProject})`;
  const deliveries = sql`(select id from deliveries where event_id in ${sentEvents})`;
  const agentTasks = sql`(select id from agent_tasks where project_id = ${id} or file_id in ${files})`;
  const agentRuns = sql`(select id from agent_task_runs where task_id in ${agentTasks} or file_id in ${files})`;
  const notifications = sql`(select id from notifications where project_id = ${id})`;
  const items = sql`(select delivery_id from notification_delivery_items where notification_id in ${notifications})`;
  const otherItems = sql`(select delivery_id from notification_delivery_items where notification_id not in ${notifications})`;
  const isListed = sql<boolean>`(item_type = 'project' and item_id = ${id} or item_type = 'file' and item_id in ${files}
    or item_type = 'playlist' and item_id in ${playlists} or item_type = 'message' and item_id in ${messages})`;
  const target = (name: string) => (engine === "postgres" ? sql`(destination::json ->> ${sql.lit(name)})::bigint` : sql`destination ->> ${sql.lit(name)}`);
  const topic = sql<boolean>`topic = ${topicOf.project(id)}`;
  return {
    beforeVersions: [
      { table: "delivery_attempts", where: sql`delivery_id in ${deliveries}` },
      { table: "deliveries", where: sql`event_id in ${sentEvents}` },
      { table: "outbound_events", where: ofProject },
      { table: "agent_subscription_cursors", where: ofProject },
      { table: "agent_actions", where: ofProject },
      { table: "jobs", where: sql`(kind like 'media%' and subject_id in ${versions} or kind like 'agent.%' and subject_id in ${agentRuns})` },
      { table: "agent_task_runs", where: sql`id in ${agentRuns}` },
      { table: "agent_tasks", where: sql`id in ${agentTasks}` },
      { table: "notification_deliveries", where: sql`id in ${items} and id not in ${otherItems}` },
      { table: "notification_delivery_items", where: sql`notification_id in ${notifications}` },
      { table: "notifications", where: ofProject },
      { table: "project_notification_settings", where: ofProject },
      { table: "file_watchers", where: sql`file_id in ${files}` },
      { table: "favorites", where: isListed },
      { table: "recent_items", where: isListed },
      { table: "metadata_values", where: ofProject },
      { table: "document_pages", where: ofProject, index: "document", ofVersions: true },
      { table: "document_texts", where: sql`version_id in ${versions}`, ofVersions: true },
      { table: "tasks", where: sql`file_id in ${files}`, index: "task" },
      { table: "status_changes", where: sql`file_id in ${files}` },
      { table: "file_tags", where: ofProject },
      { table: "comment_reads", where: sql`file_id in ${files}` },
      { table: "message_mentions", where: ofProject },
      { table: "reactions", where: sql`message_id in ${messages}` },
      { table: "attachments", where: sql`(message_id in ${messages} or file_id in ${files})`, ofVersions: true },
      { table: "read_markers", where: ofProject },
      { table: "comment_mentions", where: sql`comment_id in ${comments}` },
      { table: "comment_attachments", where: sql`(comment_id in ${comments} or file_id in ${files})`, ofVersions: true },
      { table: "messages", where: ofProject, index: "message" },
      { table: "comments", where: ofProject, index: "comment" },
      { table: "playlist_items", where: sql`(playlist_id in ${playlists} or file_id in ${files})`, ofVersions: true },
      { table: "playlists", where: ofProject, index: "playlist" },
      {
        table: "uploads",
        where: sql`(file_id in ${files} or ${target("chatOf")} = ${id} or ${target("parentId")} in ${files} or ${target("versionOf")} in ${files})`,
      },
      { table: "events", where: topic },
    ],
    afterVersions: [
      { table: "files", where: ofProject, index: "file" },
      { table: "project_members", where: ofProject },
      { table: "topics", where: topic },
    ],
  };
}
