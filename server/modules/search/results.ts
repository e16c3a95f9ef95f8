/** Loads what the results of a search show. The ids come from a search, so that the caller sees the records. */
import type { SearchKind, SearchResult } from "../../../contract/search-records.ts";
import { type Actor, visibleAccounts } from "../../access/access.ts";
import type { Db } from "../../db/schema.ts";
import { iso } from "../../lib/iso-time.ts";
import { presentFileStatus } from "../files/presenter.ts";
import { pageLabel } from "../../../contract/knowledge-records.ts";
import { loadPages } from "./document-search.ts";
import { excerptAround } from "./excerpt.ts";

type Ids = readonly number[];
type Loader = (db: Db, actor: Actor, ids: Ids, query: string) => Promise<SearchResult[]>;

const object = "search_result";
const accountOf = (id: number | null, username: string | null): SearchResult["account"] => (id === null || username === null ? null : { id, username });

const loadProjects: Loader = async (db, _actor, ids) => {
  const rows = await db.selectFrom("projects").select(["id", "name", "description", "created_at"]).where("id", "in", ids).execute();
  return rows.map(({ id, name, description, created_at }): SearchResult => ({
    object,
    kind: "project",
    id,
    title: name,
    text: excerptAround(description, ""),
    project: { id, name },
    file: null,
    account: null,
    time: iso(created_at),
  }));
};

const loadPeople: Loader = async (db, _actor, ids) => {
  const rows = await db.selectFrom("accounts").select(["id", "username", "created_at"]).where("id", "in", ids).execute();
  return rows.map(({ id, username, created_at }) => ({
    object,
    kind: "person",
    id,
    title: username,
    text: "",
    project: null,
    file: null,
    account: { id, username },
    time: iso(created_at),
  }));
};

const loadFiles: Loader = async (db, _actor, ids) => {
  const rows = await db
    .selectFrom("files")
    .innerJoin("projects", "projects.id", "files.project_id")
    .leftJoin("accounts", "accounts.id", "files.uploader_id")
    .leftJoin("file_statuses", "file_statuses.id", "files.status_id")
    .select(["files.id", "files.name", "files.kind", "files.bpm", "files.music_key", "files.changed_at", "files.project_id", "projects.name as project_name"])
    .select(["accounts.id as account_id", "accounts.username"])
    .select(["file_statuses.id as status_id", "file_statuses.title", "file_statuses.color", "file_statuses.position", "file_statuses.is_final"])
    .where("files.id", "in", ids)
    .execute();
  return rows.map((row) => ({
    object,
    kind: "file",
    id: row.id,
    title: row.name,
    text: "",
    project: { id: row.project_id, name: row.project_name },
    file: { id: row.id, name: row.name, kind: row.kind },
    account: accountOf(row.account_id, row.username),
    time: iso(row.changed_at),
    bpm: row.bpm,
    key: row.music_key,
    status:
      row.status_id === null || row.title === null
        ? null
        : presentFileStatus({ id: row.status_id, title: row.title, color: row.color ?? 0, position: row.position ?? 0, is_final: row.is_final ?? 0 }),
  }));
};

const loadPlaylists: Loader = async (db, _actor, ids) => {
  const rows = await db
    .selectFrom("playlists")
    .innerJoin("projects", "projects.id", "playlists.project_id")
    .leftJoin("accounts", "accounts.id", "playlists.created_by")
    .select(["playlists.id", "playlists.name", "playlists.created_at", "playlists.project_id", "projects.name as project_name"])
    .select(["accounts.id as account_id", "accounts.username"])
    .where("playlists.id", "in", ids)
    .execute();
  return rows.map((row) => ({
    object,
    kind: "playlist",
    id: row.id,
    title: row.name,
    text: "",
    project: { id: row.project_id, name: row.project_name },
    file: null,
    account: accountOf(row.account_id, row.username),
    time: iso(row.created_at),
  }));
};

const loadTasks: Loader = async (db, _actor, ids) => {
  const rows = await db
    .selectFrom("tasks")
    .innerJoin("files", "files.id", "tasks.file_id")
    .innerJoin("projects", "projects.id", "files.project_id")
    .leftJoin("accounts", "accounts.id", "tasks.assignee_id")
    .select(["tasks.id", "tasks.title", "tasks.created_at", "tasks.closed_at", "files.id as file_id", "files.name as file_name", "files.kind"])
    .select(["files.project_id", "projects.name as project_name", "accounts.id as account_id", "accounts.username"])
    .where("tasks.id", "in", ids)
    .execute();
  return rows.map((row) => ({
    object,
    kind: "task",
    id: row.id,
    title: row.title,
    text: "",
    project: { id: row.project_id, name: row.project_name },
    file: { id: row.file_id, name: row.file_name, kind: row.kind },
    account: accountOf(row.account_id, row.username),
    time: iso(row.created_at),
    closed: row.closed_at !== null,
  }));
};

const loadMessages: Loader = async (db, actor, ids, query) => {
  const rows = await db
    .selectFrom("messages")
    .innerJoin("projects", "projects.id", "messages.project_id")
    .innerJoin("accounts", "accounts.id", "messages.account_id")
    .select(["messages.id", "messages.body", "messages.created_at", "messages.project_id", "projects.name as project_name"])
    .select(["messages.account_id", "accounts.username"])
    .where("messages.id", "in", ids)
    .execute();
  const bodies = await nameMentionedPeople(db, actor, rows);
  return rows.map((row, index) => ({
    object,
    kind: "message",
    id: row.id,
    title: "",
    text: excerptAround(bodies[index] ?? "", query),
    project: { id: row.project_id, name: row.project_name },
    file: null,
    account: accountOf(row.account_id, row.username),
    time: iso(row.created_at),
  }));
};

const loadComments: Loader = async (db, _actor, ids, query) => {
  const rows = await db
    .selectFrom("comments")
    .innerJoin("files", "files.id", "comments.file_id")
    .innerJoin("projects", "projects.id", "comments.project_id")
    .innerJoin("accounts", "accounts.id", "comments.account_id")
    .leftJoin("comments as roots", "roots.id", "comments.parent_id")
    .select(["comments.id", "comments.body", "comments.created_at", "comments.project_id", "projects.name as project_name"])
    .select(["comments.file_id", "files.name as file_name", "files.kind", "comments.account_id", "accounts.username"])
    .select(({ fn }) => fn.coalesce("roots.position_ms", "comments.position_ms").as("position_ms"))
    .where("comments.id", "in", ids)
    .execute();
  return rows.map((row) => ({
    object,
    kind: "comment",
    id: row.id,
    title: "",
    text: excerptAround(row.body, query),
    project: { id: row.project_id, name: row.project_name },
    file: { id: row.file_id, name: row.file_name, kind: row.kind },
    account: accountOf(row.account_id, row.username),
    time: iso(row.created_at),
    position_ms: row.position_ms,
  }));
};

const loadDocuments: Loader = async (db, _actor, ids, query) => {
  const rows = await loadPages(db, ids);
  return rows.map((row) => ({
    object,
    kind: "document",
    id: row.id,
    title: row.file_name,
    text: excerptAround(row.text, query, row.text.length),
    project: { id: row.project_id, name: row.project_name },
    file: { id: row.file_id, name: row.file_name, kind: row.kind },
    account: accountOf(row.created_by, row.username),
    time: iso(row.created_at),
    page: row.number,
    page_label: pageLabel(row.source, row.unit ?? "part", row.number),
  }));
};

const LOADERS: Record<SearchKind, Loader> = {
  project: loadProjects,
  person: loadPeople,
  file: loadFiles,
  playlist: loadPlaylists,
  task: loadTasks,
  message: loadMessages,
  comment: loadComments,
  document: loadDocuments,
};

/** Returns the results in the order of the ids. */
export async function loadResults(db: Db, actor: Actor, kind: SearchKind, ids: Ids, query: string): Promise<SearchResult[]> {
  if (ids.length === 0) return [];
  const results = new Map((await LOADERS[kind](db, actor, ids, query)).map((one) => [one.id, one]));
  return ids.flatMap((id) => results.get(id) ?? []);
}

const MENTION = /<@([1-9]\d{0,14})>/g;

/** Returns the bodies with `<@id>` replaced by the person's name, as readers see it. */
async function nameMentionedPeople(db: Db, actor: Actor, rows: readonly { body: string }[]): Promise<string[]> {
  const ids = new Set(rows.flatMap(({ body }) => [...body.matchAll(MENTION)].map(([, id]) => Number(id))));
  if (ids.size === 0) return rows.map(({ body }) => body);
  const people = await visibleAccounts(db, actor)
    .select(["accounts.id", "accounts.username"])
    .where("accounts.id", "in", [...ids])
    .execute();
  const names = new Map(people.map(({ id, username }) => [id, username]));
  return rows.map(({ body }) => body.replace(MENTION, (mention, id: string) => (names.has(Number(id)) ? `@${names.get(Number(id))}` : mention)));
}
