/** Loads the present state of what actions were about, for any number of actions in at most six queries. */
import { type Actor, visibleFiles, visibleProjects } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import type { FileState, TaskState } from "../../events/agent-actions.ts";

type ActionRow = Row<"agent_actions">;
interface PresentFile extends FileState {
  hasContent: boolean;
}
/** What the actor sees of the records; what is deleted is missing. */
export interface Targets {
  texts: ReadonlyMap<string, string>;
  files: ReadonlyMap<number, PresentFile>;
  tasks: ReadonlyMap<number, TaskState>;
  statuses: ReadonlyMap<number, string>;
}

/** Characters of a message or comment that the log shows. */
const TEXT_CHARACTERS = 120;
const beginning = (text: string): string => {
  const characters = [...text.slice(0, 2 * TEXT_CHARACTERS).replaceAll(/\s+/g, " ")];
  return characters.length > TEXT_CHARACTERS ? `${characters.slice(0, TEXT_CHARACTERS).join("")}…` : characters.join("");
};

export const parseFileState = (json: string | null): FileState | null => (json === null ? null : (JSON.parse(json) as FileState));
export const parseTaskState = (json: string | null): TaskState | null => (json === null ? null : (JSON.parse(json) as TaskState));
export const targetKey = ({ target_type, target_id }: Pick<ActionRow, "target_type" | "target_id">): string =>
  `${target_type === "folder" ? "file" : target_type}:${target_id}`;

function idsOf(actions: readonly ActionRow[], ...types: string[]): number[] {
  return [...new Set(actions.flatMap(({ target_type, target_id }) => (types.includes(target_type) ? [target_id] : [])))];
}

/** Returns the files, and the folders into and out of which files were moved. */
async function loadFileTargets(db: Db, actor: Actor, actions: readonly ActionRow[], states: readonly (FileState | null)[]) {
  const parents = states.flatMap((state) => state?.parent_id ?? []);
  const ids = [...new Set([...idsOf(actions, "file", "folder"), ...parents])];
  if (ids.length === 0) return [];
  return visibleFiles(db, actor)
    .leftJoin("file_versions", "file_versions.id", "files.version_id")
    .select(["files.id", "files.name", "files.parent_id", "files.status_id", "file_versions.number as version"])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("files as inside").select("inside.id").whereRef("inside.parent_id", "=", "files.id").where("inside.deleted_at", "is", null)).as(
        "has_content",
      ),
    )
    .where("files.id", "in", padIds(ids))
    .execute();
}

async function loadTaskTargets(db: Db, actor: Actor, actions: readonly ActionRow[]) {
  const ids = idsOf(actions, "task");
  if (ids.length === 0) return [];
  return visibleFiles(db, actor).innerJoin("tasks", "tasks.file_id", "files.id").selectAll("tasks").where("tasks.id", "in", padIds(ids)).execute();
}

/** Returns texts of messages and comments that are not deleted, and names of playlists and projects. */
async function loadTexts(db: Db, actor: Actor, actions: readonly ActionRow[]): Promise<{ key: string; text: string }[]> {
  const found: { key: string; text: string }[] = [];
  const projects = visibleProjects(db, actor).select("projects.id");
  const messages = idsOf(actions, "message");
  if (messages.length > 0) {
    const query = db.selectFrom("messages").select(["id", "body"]).where("id", "in", padIds(messages)).where("deleted_at", "is", null);
    for (const { id, body } of await query.where("project_id", "in", projects).execute()) found.push({ key: `message:${id}`, text: body });
  }
  const comments = idsOf(actions, "comment");
  if (comments.length > 0) {
    const query = visibleFiles(db, actor).innerJoin("comments", "comments.file_id", "files.id").where("comments.id", "in", padIds(comments));
    for (const { id, body } of await query.where("comments.deleted_at", "is", null).select(["comments.id", "comments.body"]).execute())
      found.push({ key: `comment:${id}`, text: body });
  }
  const playlists = idsOf(actions, "playlist");
  if (playlists.length > 0) {
    const query = db.selectFrom("playlists").select(["id", "name"]).where("id", "in", padIds(playlists)).where("deleted_at", "is", null);
    for (const { id, name } of await query.where("project_id", "in", projects).execute()) found.push({ key: `playlist:${id}`, text: name });
  }
  return found;
}

export async function loadTargets(db: Db, actor: Actor, actions: readonly ActionRow[]): Promise<Targets> {
  const states = actions.flatMap((action) =>
    action.target_type === "file" || action.target_type === "folder" ? [parseFileState(action.state_before), parseFileState(action.state_after)] : [],
  );
  const files = await loadFileTargets(db, actor, actions, states);
  const tasks = await loadTaskTargets(db, actor, actions);
  const statusIds = [...new Set(states.flatMap((state) => state?.status_id ?? []))];
  const statuses = statusIds.length === 0 ? [] : await db.selectFrom("file_statuses").select(["id", "title"]).where("id", "in", padIds(statusIds)).execute();
  const texts = await loadTexts(db, actor, actions);
  return {
    texts: new Map([
      ...texts.map(({ key, text }) => [key, beginning(text)] as const),
      ...files.map(({ id, name }) => [`file:${id}`, name] as const),
      ...tasks.map(({ id, title }) => [`task:${id}`, title] as const),
    ]),
    files: new Map(
      files.map(({ id, name, parent_id, status_id, version, has_content }) => [
        id,
        { name, parent_id, status_id, version: version ?? 0, hasContent: Boolean(has_content) },
      ]),
    ),
    tasks: new Map(tasks.map(({ id, title, assignee_id, due_at, closed_at }) => [id, { title, assignee_id, due_at, closed: closed_at !== null }])),
    statuses: new Map(statuses.map(({ id, title }) => [id, title])),
  };
}
