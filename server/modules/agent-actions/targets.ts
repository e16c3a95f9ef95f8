/** Loads the present state of what actions were about, for any number of actions in at most ten queries. */
import type { MetadataChanges, MetadataValue } from "../../../contract/metadata-records.ts";
import { type Actor, visibleFiles, visibleProjects } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { type RecordKind, STATE_COLUMNS, stateOf } from "../../events/former-rows.ts";
import { findUsedFiles } from "./used-files.ts";

type ActionRow = Row<"agent_actions">;
export type State = Readonly<Record<string, string | number | boolean | null>>;
/** What the actor sees of the records; what is deleted for good is missing. */
export interface Targets {
  /** Names, titles and beginnings of texts. */
  texts: ReadonlyMap<string, string>;
  states: ReadonlyMap<string, State>;
  /** Files that other people use, and folders with something in them. */
  usedFiles: ReadonlySet<number>;
  /** Titles by id; those of deleted statuses only serve to be shown. */
  statuses: ReadonlyMap<number, { title: string; exists: boolean }>;
  /** Fields of metadata that exist. */
  fields: ReadonlySet<number>;
  now: number;
}
interface Loaded {
  kind: RecordKind | "metadata";
  id: number;
  text: string | null;
  state: State;
}

/** Characters of a message or comment that the log shows. */
const TEXT_CHARACTERS = 120;
const beginning = (text: string): string => {
  const characters = [...text.slice(0, 2 * TEXT_CHARACTERS).replaceAll(/\s+/g, " ")];
  return characters.length > TEXT_CHARACTERS ? `${characters.slice(0, TEXT_CHARACTERS).join("")}…` : characters.join("");
};

export const kindOf = ({ target_type }: Pick<ActionRow, "target_type">): string => (target_type === "folder" ? "file" : target_type);
export const stateKey = (action: Pick<ActionRow, "target_type" | "target_id">): string => `${kindOf(action)}:${action.target_id}`;
/** The metadata of a file has the name of the file. */
export const textKey = (action: Pick<ActionRow, "target_type" | "target_id">): string =>
  action.target_type === "metadata" ? `file:${action.target_id}` : stateKey(action);

const parse = (json: string | null): State | null => (json === null ? null : (JSON.parse(json) as State));
export const stateBefore = (action: ActionRow): State | null => parse(action.state_before);
export const stateAfter = (action: ActionRow): State | null => parse(action.state_after);

const idsOf = (actions: readonly ActionRow[], ...kinds: string[]): number[] => [
  ...new Set(actions.flatMap((action) => (kinds.includes(kindOf(action)) ? [action.target_id] : []))),
];
/** Returns the numbers that the states of files have in this column. */
const idsInStates = (actions: readonly ActionRow[], column: "parent_id" | "status_id"): number[] => [
  ...new Set(
    actions
      .filter((action) => kindOf(action) === "file")
      .flatMap((action) => [stateBefore(action)?.[column], stateAfter(action)?.[column]].filter((id) => typeof id === "number")),
  ),
];

/** Returns files and folders, also deleted ones, and the folders out of and into which files were moved. */
async function loadFiles(db: Db, actor: Actor, actions: readonly ActionRow[]): Promise<Loaded[]> {
  const onFiles = actions.flatMap(({ file_id }) => file_id ?? []);
  const ids = [...new Set([...onFiles, ...idsInStates(actions, "parent_id")])];
  if (ids.length === 0) return [];
  const files = await db
    .selectFrom("files")
    .select(["id", ...STATE_COLUMNS.file])
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .where("id", "in", padIds(ids))
    .execute();
  return files.map((file) => ({ kind: "file", id: file.id, text: file.name, state: stateOf("file", file) }));
}

async function loadTasks(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const query = visibleFiles(db, actor).innerJoin("tasks", "tasks.file_id", "files.id").selectAll("tasks").where("tasks.id", "in", padIds(ids));
  return (await query.execute()).map((task) => ({ kind: "task", id: task.id, text: task.title, state: stateOf("task", task) }));
}

async function loadMessages(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const messages = await db
    .selectFrom("messages")
    .select(["id", "body", ...STATE_COLUMNS.message])
    .where("id", "in", padIds(ids))
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .execute();
  return messages.map((message) => ({
    kind: "message",
    id: message.id,
    text: message.deleted_at === null ? message.body : null,
    state: stateOf("message", message),
  }));
}

async function loadComments(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const query = visibleFiles(db, actor).innerJoin("comments", "comments.file_id", "files.id").selectAll("comments").where("comments.id", "in", padIds(ids));
  return (await query.execute()).map((comment) => ({
    kind: "comment",
    id: comment.id,
    text: comment.deleted_at === null ? comment.body : null,
    state: stateOf("comment", comment),
  }));
}

async function loadPlaylists(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const playlists = await db
    .selectFrom("playlists")
    .select(["id", ...STATE_COLUMNS.playlist])
    .where("id", "in", padIds(ids))
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .execute();
  return playlists.map((playlist) => ({ kind: "playlist", id: playlist.id, text: playlist.name, state: stateOf("playlist", playlist) }));
}

/** Returns the present values of the files. */
async function loadMetadata(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const rows = await visibleFiles(db, actor)
    .leftJoin("metadata_values", "metadata_values.file_id", "files.id")
    .where("files.id", "in", padIds(ids))
    .select(["files.id", "metadata_values.field_id", "metadata_values.value"])
    .execute();
  const values = new Map<number, MetadataChanges>();
  for (const { id, field_id, value } of rows) {
    const ofFile = values.get(id) ?? {};
    values.set(id, ofFile);
    if (field_id !== null && value !== null) ofFile[field_id] = JSON.parse(value) as MetadataValue;
  }
  return [...values].map(([id, state]) => ({ kind: "metadata", id, text: null, state }));
}

async function loadFields(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const fields = await db
    .selectFrom("metadata_fields")
    .innerJoin("metadata_templates", "metadata_templates.id", "metadata_fields.template_id")
    .where("metadata_fields.id", "in", padIds(ids))
    .where("metadata_fields.deleted_at", "is", null)
    .where("metadata_templates.deleted_at", "is", null)
    .select("metadata_fields.id")
    .execute();
  return new Set(fields.map(({ id }) => id));
}

async function loadStatuses(db: Db, ids: readonly number[]): Promise<Targets["statuses"]> {
  if (ids.length === 0) return new Map();
  const statuses = await db.selectFrom("file_statuses").select(["id", "title", "deleted_at"]).where("id", "in", padIds(ids)).execute();
  return new Map(statuses.map(({ id, title, deleted_at }) => [id, { title, exists: deleted_at === null }]));
}

/** All actions are of this agent. */
export async function loadTargets(db: Db, actor: Actor, agentId: number, actions: readonly ActionRow[], now: number): Promise<Targets> {
  const loaded = [
    ...(await loadFiles(db, actor, actions)),
    ...(await loadTasks(db, actor, idsOf(actions, "task"))),
    ...(await loadMessages(db, actor, idsOf(actions, "message"))),
    ...(await loadComments(db, actor, idsOf(actions, "comment"))),
    ...(await loadPlaylists(db, actor, idsOf(actions, "playlist"))),
    ...(await loadMetadata(db, actor, idsOf(actions, "metadata"))),
  ];
  const fieldIds = actions.flatMap((action) => (action.target_type === "metadata" ? Object.keys(stateAfter(action) ?? {}).map(Number) : []));
  const added = actions.filter(({ action }) => action === "file.created" || action === "file.restored");
  return {
    texts: new Map(loaded.flatMap(({ kind, id, text }) => (text === null ? [] : [[`${kind}:${id}`, beginning(text)] as const]))),
    states: new Map(loaded.map(({ kind, id, state }) => [`${kind}:${id}`, state])),
    usedFiles: await findUsedFiles(db, agentId, idsOf(added, "file")),
    statuses: await loadStatuses(db, idsInStates(actions, "status_id")),
    fields: await loadFields(db, [...new Set(fieldIds)]),
    now,
  };
}
