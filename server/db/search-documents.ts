/** What the search index has of each kind of record apart from messages. Whoever changes an indexed column calls `indexRecords` in the same transaction. */
import { sql } from "kysely";
import { namesOfKey, spellOutSharps, tokenizeForIndex } from "../../contract/search-tokens.ts";
import type { Engine } from "./database.ts";
import type { Db, Tx } from "./schema.ts";
import { FILTER_TOKEN, type IndexedKind, type SearchDocument, upsertSearchDocuments } from "./search-index.ts";

export type RecordKind = Exclude<IndexedKind, "message">;

/** Records per statement. */
const BATCH_SIZE = 1_000;
/** Pages are longer than other records. */
export const PAGES_PER_BATCH = 50;

/** A record with the texts that people search for, and the values that searches filter by. */
interface IndexedRecord {
  id: number;
  texts: readonly string[];
  time: number;
  projectId?: number;
  organisationId?: number;
  accountIds?: readonly (number | null)[];
  statusId?: number | null;
  fileId?: number;
}

const toDocument = ({ id, texts, time, projectId, organisationId, accountIds = [], statusId = null, fileId }: IndexedRecord): SearchDocument => ({
  id,
  tokens: [
    ...new Set([
      ...tokenizeForIndex(texts.join("\n")),
      ...(projectId === undefined ? [] : [FILTER_TOKEN.project(projectId)]),
      ...(organisationId === undefined ? [] : [FILTER_TOKEN.organisation(organisationId)]),
      ...accountIds.flatMap((accountId) => (accountId === null ? [] : [FILTER_TOKEN.account(accountId)])),
      ...(statusId === null ? [] : [FILTER_TOKEN.status(statusId)]),
      ...(fileId === undefined ? [] : [FILTER_TOKEN.document(fileId)]),
      FILTER_TOKEN.year(time),
      FILTER_TOKEN.month(time),
    ]),
  ],
});

/** Selects records by id, or the next ones after an id. */
type Selection = { ids: readonly number[] } | { after: number };
type Loader = (db: Db, selection: Selection) => Promise<IndexedRecord[]>;

const selected = (table: string, selection: Selection) =>
  "ids" in selection ? sql<boolean>`${sql.ref(`${table}.id`)} in (${sql.join(selection.ids)})` : sql<boolean>`${sql.ref(`${table}.id`)} > ${selection.after}`;

const loadProjects: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("projects")
    .innerJoin("teams", "teams.id", "projects.team_id")
    .select(["projects.id", "projects.name", "projects.description", "projects.created_at", "teams.organisation_id"])
    .where(selected("projects", selection))
    .orderBy("projects.id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id, name, description, created_at, organisation_id }) => ({
    id,
    texts: [name, description],
    time: created_at,
    projectId: id,
    organisationId: organisation_id,
  }));
};

const loadAccounts: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("accounts")
    .select(["id", "username", "email", "created_at", "organisation_id"])
    .where(selected("accounts", selection))
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id, username, email, created_at, organisation_id }) => ({
    id,
    texts: [username, email],
    time: created_at,
    organisationId: organisation_id,
  }));
};

/** Returns the texts and ISRCs of the files' metadata, except those of deleted fields; none before the migration that creates them, when an older one fills the index. */
async function loadMetadataTexts(db: Db, fileIds: readonly number[]): Promise<Map<number, string[]>> {
  const texts = new Map<number, string[]>();
  const migrated = await db.selectFrom("migrations").select("name").where("name", "=", "030-metadata").executeTakeFirst();
  if (fileIds.length === 0 || !migrated) return texts;
  const rows = await db
    .selectFrom("metadata_values")
    .innerJoin("metadata_fields", "metadata_fields.id", "metadata_values.field_id")
    .select(["metadata_values.file_id", "metadata_values.value", "metadata_values.match_text", "metadata_fields.type"])
    .where("metadata_values.file_id", "in", fileIds)
    .where("metadata_fields.type", "in", ["text", "isrc"])
    .where("metadata_fields.deleted_at", "is", null)
    .execute();
  for (const { file_id, value, match_text, type } of rows)
    texts.set(file_id, [...(texts.get(file_id) ?? []), JSON.parse(value) as string, ...(type === "isrc" ? [match_text] : [])]);
  return texts;
}

/** Folders too, but not the root folder of a project, which the project stands for. Deleted files stay, because they can be restored. */
const loadFiles: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("files")
    .select(["id", "name", "project_id", "created_by", "uploader_id", "changed_at", "bpm", "music_key", "tags", "status_id"])
    .where(selected("files", selection))
    .where("parent_id", "is not", null)
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  const metadata = await loadMetadataTexts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    texts: [
      ...(metadata.get(row.id) ?? []),
      row.name,
      spellOutSharps(row.name),
      ...(JSON.parse(row.tags) as string[]),
      ...(row.bpm > 0 ? [`${Math.round(row.bpm)} bpm`] : []),
      ...(row.music_key === null ? [] : namesOfKey(row.music_key)),
    ],
    time: row.changed_at,
    projectId: row.project_id,
    accountIds: [row.created_by, row.uploader_id],
    statusId: row.status_id,
  }));
};

const loadPlaylists: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("playlists")
    .select(["id", "name", "project_id", "created_by", "created_at"])
    .where(selected("playlists", selection))
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id, name, project_id, created_by, created_at }) => ({
    id,
    texts: [name],
    time: created_at,
    projectId: project_id,
    accountIds: [created_by],
  }));
};

const loadTasks: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("tasks")
    .innerJoin("files", "files.id", "tasks.file_id")
    .select(["tasks.id", "tasks.title", "files.project_id", "tasks.created_by", "tasks.assignee_id", "tasks.created_at"])
    .where(selected("tasks", selection))
    .orderBy("tasks.id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id, title, project_id, created_by, assignee_id, created_at }) => ({
    id,
    texts: [title],
    time: created_at,
    projectId: project_id,
    accountIds: [created_by, assignee_id],
  }));
};

const loadComments: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("comments")
    .select(["id", "body", "project_id", "account_id", "created_at"])
    .where(selected("comments", selection))
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id, body, project_id, account_id, created_at }) => ({
    id,
    texts: [body],
    time: created_at,
    projectId: project_id,
    accountIds: [account_id],
  }));
};

/** Pages of current versions. A word that was hyphenated at the end of a line is found in one piece and in two. */
const loadDocumentPages: Loader = async (db, selection) => {
  const rows = await db
    .selectFrom("document_pages")
    .innerJoin("files", "files.version_id", "document_pages.version_id")
    .select(["document_pages.id", "document_pages.text", "document_pages.project_id", "document_pages.file_id"])
    .select(["document_pages.created_by", "document_pages.created_at"])
    .where(selected("document_pages", selection))
    .where("document_pages.text", "<>", "")
    .orderBy("document_pages.id")
    .limit(PAGES_PER_BATCH)
    .execute();
  return rows.map(({ id, text, project_id, file_id, created_by, created_at }) => ({
    id,
    texts: text.includes("\u00AD") ? [text.replaceAll("\u00AD", ""), text] : [text],
    time: created_at,
    projectId: project_id,
    accountIds: [created_by],
    fileId: file_id,
  }));
};

const LOADERS: Record<RecordKind, Loader> = {
  project: loadProjects,
  account: loadAccounts,
  file: loadFiles,
  playlist: loadPlaylists,
  task: loadTasks,
  comment: loadComments,
  document: loadDocumentPages,
};
export const RECORD_KINDS = Object.keys(LOADERS) as RecordKind[];

const batchSizeOf = (kind: RecordKind): number => (kind === "document" ? PAGES_PER_BATCH : BATCH_SIZE);

/** Returns the texts that the index has of these records. */
export async function loadIndexedTexts(db: Db, kind: IndexedKind, ids: readonly number[]): Promise<Map<number, readonly string[]>> {
  if (kind === "message") {
    const rows = await db.selectFrom("messages").select(["id", "body"]).where("id", "in", ids).execute();
    return new Map(rows.map(({ id, body }) => [id, [body]]));
  }
  const texts = new Map<number, readonly string[]>();
  const size = batchSizeOf(kind);
  for (let offset = 0; offset < ids.length; offset += size)
    for (const record of await LOADERS[kind](db, { ids: ids.slice(offset, offset + size) })) texts.set(record.id, record.texts);
  return texts;
}

/** Brings the index entries of these records up to date, in the transaction that creates or changes them. */
export async function indexRecords(tx: Tx, engine: Engine, kind: RecordKind, ids: readonly number[]): Promise<void> {
  const size = batchSizeOf(kind);
  for (let offset = 0; offset < ids.length; offset += size) {
    const records = await LOADERS[kind](tx, { ids: ids.slice(offset, offset + size) });
    await upsertSearchDocuments(tx, engine, kind, records.map(toDocument));
  }
}

/** Indexes all records of a kind: for a migration that creates the index, or one that follows a change of what it has. */
export async function fillRecordIndex(tx: Tx, engine: Engine, kind: RecordKind): Promise<void> {
  for (let last = 0; ;) {
    const records = await LOADERS[kind](tx, { after: last });
    if (records.length === 0) return;
    await upsertSearchDocuments(tx, engine, kind, records.map(toDocument));
    last = records.at(-1)?.id ?? 0;
  }
}
