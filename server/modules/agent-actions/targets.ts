/** Loads the present state of what actions were about, for any number of actions in at most eight queries. */
import type { MetadataChanges, MetadataValue } from "../../../contract/metadata-records.ts";
import { type Actor, visibleFiles, visibleProjects } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { commentState, type FileState, fileState, playlistState, type StateKind, type StateOf, taskState } from "../../events/agent-action-states.ts";

type ActionRow = Row<"agent_actions">;
/** What the actor sees of the records; what is deleted for good is missing. */
export interface Targets {
  /** Names, titles and beginnings of texts. */
  texts: ReadonlyMap<string, string>;
  states: ReadonlyMap<string, StateOf[StateKind]>;
  foldersWithContent: ReadonlySet<number>;
  /** Titles by id. */
  statuses: ReadonlyMap<number, string>;
  /** Fields of metadata that exist. */
  fields: ReadonlySet<number>;
}
interface Loaded {
  kind: StateKind | "message";
  id: number;
  text: string | null;
  state: StateOf[StateKind] | null;
}

/** Characters of a message or comment that the log shows. */
const TEXT_CHARACTERS = 120;
const beginning = (text: string): string => {
  const characters = [...text.slice(0, 2 * TEXT_CHARACTERS).replaceAll(/\s+/g, " ")];
  return characters.length > TEXT_CHARACTERS ? `${characters.slice(0, TEXT_CHARACTERS).join("")}…` : characters.join("");
};

const isOfFile = ({ target_type }: Pick<ActionRow, "target_type">): boolean => target_type === "file" || target_type === "folder";
export const stateKind = (action: Pick<ActionRow, "target_type">): string => (isOfFile(action) ? "file" : action.target_type);
export const stateKey = (action: Pick<ActionRow, "target_type" | "target_id">): string => `${stateKind(action)}:${action.target_id}`;
/** Metadata has no name of its own. */
export const textKey = (action: Pick<ActionRow, "target_type" | "target_id">): string =>
  action.target_type === "metadata" ? `file:${action.target_id}` : stateKey(action);

/** Returns what the log remembers; null if it remembers nothing, or the action is about another kind of record. */
export function parseState<T extends StateKind>(action: ActionRow, kind: T, side: "state_before" | "state_after"): StateOf[T] | null {
  const json = action[side];
  return json === null || stateKind(action) !== kind ? null : (JSON.parse(json) as StateOf[T]);
}

const idsOf = (actions: readonly ActionRow[], kind: string): number[] => [
  ...new Set(actions.flatMap((action) => (stateKind(action) === kind ? [action.target_id] : []))),
];

/** Returns files and folders, also deleted ones that can be restored, and the folders out of and into which files were moved. */
async function loadFiles(db: Db, actor: Actor, actions: readonly ActionRow[], states: readonly FileState[]) {
  const ids = [...new Set([...idsOf(actions, "file"), ...idsOf(actions, "metadata"), ...states.flatMap(({ parent_id }) => parent_id ?? [])])];
  if (ids.length === 0) return [];
  return db
    .selectFrom("files")
    .leftJoin("file_versions", "file_versions.id", "files.version_id")
    .where("files.project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .where("files.id", "in", padIds(ids))
    .select(["files.id", "files.name", "files.parent_id", "files.status_id", "files.deleted_by", "file_versions.number as version"])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("files as inside").select("inside.id").whereRef("inside.parent_id", "=", "files.id").where("inside.deleted_at", "is", null)).as(
        "has_content",
      ),
    )
    .execute();
}

async function loadTasks(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const tasks = await visibleFiles(db, actor).innerJoin("tasks", "tasks.file_id", "files.id").selectAll("tasks").where("tasks.id", "in", padIds(ids)).execute();
  return tasks.map((task) => ({ kind: "task", id: task.id, text: task.title, state: taskState(task) }));
}

async function loadMessages(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const messages = await db
    .selectFrom("messages")
    .select(["id", "body"])
    .where("id", "in", padIds(ids))
    .where("deleted_at", "is", null)
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .execute();
  return messages.map(({ id, body }) => ({ kind: "message", id, text: body, state: null }));
}

async function loadComments(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const comments = await visibleFiles(db, actor)
    .innerJoin("comments", "comments.file_id", "files.id")
    .where("comments.id", "in", padIds(ids))
    .select(["comments.id", "comments.body", "comments.resolved_at", "comments.deleted_at"])
    .execute();
  return comments.map((comment) => ({
    kind: "comment",
    id: comment.id,
    text: comment.deleted_at === null ? comment.body : null,
    state: commentState(comment),
  }));
}

async function loadPlaylists(db: Db, actor: Actor, ids: readonly number[]): Promise<Loaded[]> {
  if (ids.length === 0) return [];
  const playlists = await db
    .selectFrom("playlists")
    .select(["id", "name", "revision", "deleted_at"])
    .where("id", "in", padIds(ids))
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .execute();
  return playlists.map((playlist) => ({ kind: "playlist", id: playlist.id, text: playlist.name, state: playlistState(playlist) }));
}

/** Returns the present values of the files, and which of the fields exist. */
async function loadMetadata(db: Db, actor: Actor, actions: readonly ActionRow[]): Promise<{ loaded: Loaded[]; fields: Set<number> }> {
  const ids = idsOf(actions, "metadata");
  if (ids.length === 0) return { loaded: [], fields: new Set() };
  const fieldIds = actions.flatMap((action) => Object.keys(parseState(action, "metadata", "state_after") ?? {}).map(Number));
  const fields = await db
    .selectFrom("metadata_fields")
    .innerJoin("metadata_templates", "metadata_templates.id", "metadata_fields.template_id")
    .where("metadata_fields.id", "in", padIds([...new Set(fieldIds)]))
    .where("metadata_fields.deleted_at", "is", null)
    .where("metadata_templates.deleted_at", "is", null)
    .select("metadata_fields.id")
    .execute();
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
  const loaded = [...values].map(([id, state]): Loaded => ({ kind: "metadata", id, text: null, state }));
  return { loaded, fields: new Set(fields.map(({ id }) => id)) };
}

export async function loadTargets(db: Db, actor: Actor, actions: readonly ActionRow[]): Promise<Targets> {
  const states = actions.flatMap((action) => [parseState(action, "file", "state_before") ?? [], parseState(action, "file", "state_after") ?? []].flat());
  const files = await loadFiles(db, actor, actions, states);
  const statusIds = [...new Set(states.flatMap(({ status_id }) => status_id ?? []))];
  const statuses = statusIds.length === 0 ? [] : await db.selectFrom("file_statuses").select(["id", "title"]).where("id", "in", padIds(statusIds)).execute();
  const metadata = await loadMetadata(db, actor, actions);
  const loaded: Loaded[] = [
    ...files.map((file): Loaded => ({ kind: "file", id: file.id, text: file.name, state: fileState(file, file.version) })),
    ...(await loadTasks(db, actor, idsOf(actions, "task"))),
    ...(await loadMessages(db, actor, idsOf(actions, "message"))),
    ...(await loadComments(db, actor, idsOf(actions, "comment"))),
    ...(await loadPlaylists(db, actor, idsOf(actions, "playlist"))),
    ...metadata.loaded,
  ];
  return {
    texts: new Map(loaded.flatMap(({ kind, id, text }) => (text === null ? [] : [[`${kind}:${id}`, beginning(text)] as const]))),
    states: new Map(loaded.flatMap(({ kind, id, state }) => (state === null ? [] : [[`${kind}:${id}`, state] as const]))),
    foldersWithContent: new Set(files.flatMap(({ id, has_content }) => (has_content ? [id] : []))),
    statuses: new Map(statuses.map(({ id, title }) => [id, title])),
    fields: metadata.fields,
  };
}
