/** Fingerprint of a database's content: the same value before and after means that nothing was stored. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { IndexedKind } from "../db/search-index.ts";

/** Tables that the fingerprint leaves out. */
type UncountedTable =
  // Failed sign-ins are meant to be counted there.
  | "attempts"
  // Copies of the tags in `files`, written only together with a file.
  | "file_tags"
  // Written only by the scheduler.
  | "scheduled_runs"
  // Written only before a service starts.
  | "migrations";

/** The search indexes, which are not part of the schema's type. */
type SearchIndex = `${IndexedKind}_search`;

/** Tables whose rows are counted: the type requires every table of the schema except the uncounted ones, and the search indexes. */
const COUNTED_TABLES: Readonly<Record<Exclude<keyof Schema, UncountedTable> | SearchIndex, true>> = {
  organisations: true,
  teams: true,
  team_members: true,
  file_statuses: true,
  accounts: true,
  avatars: true,
  project_groups: true,
  projects: true,
  project_members: true,
  messages: true,
  read_markers: true,
  sessions: true,
  api_tokens: true,
  oauth_clients: true,
  oauth_codes: true,
  oauth_tokens: true,
  invites: true,
  password_resets: true,
  live_tickets: true,
  topics: true,
  events: true,
  idempotency: true,
  audit: true,
  files: true,
  file_versions: true,
  blobs: true,
  status_changes: true,
  attachments: true,
  jobs: true,
  job_turns: true,
  uploads: true,
  upload_reservations: true,
  stored_bytes: true,
  outbound_events: true,
  metadata_templates: true,
  metadata_fields: true,
  metadata_values: true,
  tasks: true,
  task_templates: true,
  demos: true,
  webhook_endpoints: true,
  deliveries: true,
  delivery_attempts: true,
  reactions: true,
  message_mentions: true,
  comments: true,
  comment_mentions: true,
  comment_attachments: true,
  comment_reads: true,
  notifications: true,
  notification_settings: true,
  project_notification_settings: true,
  file_watchers: true,
  push_subscriptions: true,
  mail_opt_outs: true,
  confirmed_addresses: true,
  address_opt_outs: true,
  blocked_addresses: true,
  notification_deliveries: true,
  notification_delivery_items: true,
  playlists: true,
  playlist_items: true,
  favorites: true,
  recent_items: true,
  document_texts: true,
  document_pages: true,
  document_search: true,
  delivery_rules: true,
  agents: true,
  agent_tasks: true,
  agent_task_runs: true,
  agent_subscription_cursors: true,
  agent_actions: true,
  message_search: true,
  comment_search: true,
  file_search: true,
  task_search: true,
  playlist_search: true,
  project_search: true,
  account_search: true,
};
/** Queries for changes to existing rows. */
const CONTENT_QUERIES = [
  "select coalesce(sum(seq), 0) from topics",
  "select coalesce(sum(last_read_message_id), 0) from read_markers",
  "select coalesce(sum(length(name)), 0) from organisations",
  "select coalesce(sum(coalesce(disabled_at, 0) + length(username) + length(email) + length(user_info) + length(role)), 0) from accounts",
  "select coalesce(sum(length(coalesce(time_zone, '')) + length(coalesce(locale, '')) + length(coalesce(working_hours, '')) + coalesce(avatar_id, 0)), 0) from accounts",
  "select coalesce(sum(coalesce(group_id, 0) + coalesce(last_message_id, 0) + length(name) + length(description)), 0) from projects",
  "select coalesce(sum(revision + coalesce(status_id, 0) + removal_protection + length(name)), 0) from files",
  "select coalesce(sum(length(name) + length(description)), 0) from project_groups",
  "select coalesce(sum(revision + length(body)), 0) from messages",
  "select count(*) from messages where deleted_at is null",
  "select coalesce(sum(revision + length(body)), 0) from comments",
  "select coalesce(sum(last_read_comment_id), 0) from comment_reads",
  "select coalesce(sum(position + color + is_final + length(title) + coalesce(deleted_at, 0)), 0) from file_statuses",
  "select coalesce(sum(coalesce(default_status_id, 0) + new_version_resets_status), 0) from teams",
  "select coalesce(sum(length(rules)), 0) from delivery_rules",
  "select coalesce(sum(length(scopes) + coalesce(paused_at, 0) + coalesce(paused_by, 0)), 0) from agents",
  "select coalesce(sum(revision + length(name) + length(trigger_data) + length(steps) + length(state) + length(coalesce(prompt, '')) + coalesce(since_hours, 0)), 0) from agent_tasks",
  "select coalesce(sum(length(state) + length(log)), 0) from agent_task_runs",
  "select coalesce(sum(coalesce(undone_at, 0)), 0) from agent_actions",
  "select coalesce(sum(coalesce(agent_id, 0) + length(coalesce(project_ids, ''))), 0) from webhook_endpoints",
  "select count(*) from notifications where read_at is null",
  "select coalesce(sum(length(kinds) + coalesce(do_not_disturb_start, 0) + coalesce(do_not_disturb_end, 0) + coalesce(paused_until, 0)), 0) from notification_settings",
  "select coalesce(sum(muted + length(kinds)), 0) from project_notification_settings",
  "select coalesce(sum(watching), 0) from file_watchers",
  "select count(*) from files where deleted_at is null",
  "select coalesce(sum(bytes), 0) from stored_bytes",
  "select coalesce(sum(revision + position + length(title) + coalesce(assignee_id, 0)), 0) from tasks",
  "select count(*) from tasks where closed_at is null",
  "select coalesce(sum(revision + gap_ms + length(name)), 0) from playlists",
  "select count(*) from playlists where deleted_at is null",
  "select coalesce(sum(position * id + coalesce(version_id, 0)), 0) from playlist_items",
  "select coalesce(sum(revision + position + length(name) + coalesce(deleted_at, 0) + length(coalesce(kinds, ''))), 0) from metadata_templates",
  "select coalesce(sum(position + length(name) + length(options) + length(help) + length(coalesce(tag, '')) + coalesce(deleted_at, 0)), 0) from metadata_fields",
  "select coalesce(sum(metadata_revision), 0) from files",
  "select coalesce(sum(length(value)), 0) from metadata_values",
  "select coalesce(sum(id + coalesce(opened_at, 0) + coalesce(played_at, 0)), 0) from recent_items",
  "select count(*) from invites where used_at is null and revoked_at is null",
  "select count(*) from api_tokens where revoked_at is null",
  "select count(*) from password_resets where used_at is null and revoked_at is null",
  "select coalesce(sum(enabled + length(url) + length(event_types) + length(description) + length(previous_secrets)), 0) from webhook_endpoints where deleted_at is null",
  "select coalesce(sum(step + attempts + coalesce(next_attempt_at, 0) + coalesce(done_at, 0) + length(state)), 0) from deliveries",
];
const QUERIES = [...Object.keys(COUNTED_TABLES).map((table) => `select count(*) from ${table}`), ...CONTENT_QUERIES];
/** PostgreSQL passes at most 100 arguments to a function. */
const ARGUMENTS = 50;
const joined = (expressions: readonly string[]): string => `concat_ws(' ', ${expressions.join(", ")})`;
const PARTS = Array.from({ length: Math.ceil(QUERIES.length / ARGUMENTS) }, (_, part) =>
  joined(QUERIES.slice(part * ARGUMENTS, (part + 1) * ARGUMENTS).map((query) => `(${query})`)),
);
const STATEMENT = `select ${joined(PARTS)} as state`;
/** Planning the statement takes PostgreSQL longer than executing it; each connection caches the plan of a function. */
const FUNCTION = `create or replace function test_state() returns text language plpgsql as $$ begin return (${STATEMENT}); end $$`;

const cache = new WeakMap<Database, { version: string; state: string }>();

/** Returns a value that changes with every commit; reading it takes a hundredth of the time of the whole state. */
async function readVersion(database: Database): Promise<string> {
  if (database.engine === "sqlite") return String(database.dataVersion());
  const { rows } = await sql<{ version: string }>`select pg_current_snapshot()::text as version`.execute(database.read);
  return rows[0]!.version;
}

async function readFingerprint(database: Database): Promise<string> {
  const isFirst = !cache.has(database);
  if (database.engine === "postgres" && isFirst) await sql.raw(FUNCTION).execute(database.read);
  const statement = database.engine === "postgres" ? "select test_state() as state" : STATEMENT;
  const { rows } = await sql.raw<{ state: string }>(statement).execute(database.read);
  return rows[0]!.state;
}

export async function stateFingerprint(database: Database): Promise<string> {
  const version = await readVersion(database);
  const cached = cache.get(database);
  if (cached?.version === version) return cached.state;
  const state = await readFingerprint(database);
  cache.set(database, { version, state });
  return state;
}
