/** Loads the projects, files, playlists and messages to which favorites and recent items refer, as far as the actor sees them. */
import { sql } from "kysely";
import type { FavoriteType, ListedItem } from "../../../contract/favorite-records.ts";
import type { NoFacts, RuleFor } from "../../../contract/policy.ts";
import { assertCan, can, visibleAccounts, visibleFiles, visibleProjects, type Actor } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { notFound } from "../../lib/errors.ts";
import { withoutCutMention } from "../../lib/mention-text.ts";
import { EXCERPT_CHARACTERS } from "../conversation/message-repository.ts";
import { visiblePlaylists } from "../playlists/repository.ts";

const MENTION = /<@(\d{1,15})>/g;

export interface ItemReference {
  type: FavoriteType;
  id: number;
}

export const itemKey = ({ type, id }: ItemReference): string => `${type}:${id}`;

interface Source {
  /** The rule for reading items of this type. */
  rule: RuleFor<NoFacts>;
  load(db: Db, actor: Actor, ids: readonly number[]): Promise<ListedItem[]>;
}

const SOURCES: Record<FavoriteType, Source> = {
  project: { rule: "project.read", load: loadProjects },
  file: { rule: "file.read", load: loadFiles },
  playlist: { rule: "playlist.read", load: loadPlaylists },
  message: { rule: "chat.read", load: loadMessages },
};

/** Returns the items that the actor sees, by their keys. */
export async function loadItems(db: Db, actor: Actor, references: readonly ItemReference[]): Promise<Map<string, ListedItem>> {
  const items = new Map<string, ListedItem>();
  for (const [type, sameType] of Map.groupBy(references, (reference) => reference.type)) {
    if (!can(actor, SOURCES[type].rule)) continue;
    const ids = padIds(sameType.map(({ id }) => id));
    for (const item of await SOURCES[type].load(db, actor, ids)) items.set(itemKey(item), item);
  }
  return items;
}

/** Returns the item; throws a 404 if the actor does not see it, a 403 if the rule forbids reading it. */
export async function loadItem(db: Db, actor: Actor, reference: ItemReference): Promise<ListedItem> {
  assertCan(actor, SOURCES[reference.type].rule, {}, `Your role does not allow seeing this ${reference.type}.`);
  const item = (await loadItems(db, actor, [reference])).get(itemKey(reference));
  if (!item) throw notFound(reference.type);
  return item;
}

async function loadProjects(db: Db, actor: Actor, ids: readonly number[]): Promise<ListedItem[]> {
  const rows = await visibleProjects(db, actor).where("projects.id", "in", ids).select(["projects.id", "projects.name"]).execute();
  return rows.map(({ id, name }) => ({ type: "project", id, project_id: id, project_name: name, name }));
}

async function loadFiles(db: Db, actor: Actor, ids: readonly number[]): Promise<ListedItem[]> {
  const rows = await visibleFiles(db, actor)
    .innerJoin("projects", "projects.id", "files.project_id")
    .where("files.id", "in", ids)
    .select(["files.id", "files.name", "files.kind", "files.project_id", "projects.name as project_name"])
    .execute();
  return rows.map((row) => ({ type: "file", ...row }));
}

async function loadPlaylists(db: Db, actor: Actor, ids: readonly number[]): Promise<ListedItem[]> {
  const rows = await visiblePlaylists(db, actor)
    .where("playlists.id", "in", ids)
    .where("playlists.deleted_at", "is", null)
    .select(["playlists.id", "playlists.name", "playlists.project_id", "projects.name as project_name"])
    .execute();
  return rows.map((row) => ({ type: "playlist", ...row }));
}

async function loadMessages(db: Db, actor: Actor, ids: readonly number[]): Promise<ListedItem[]> {
  const rows = await visibleProjects(db, actor)
    .innerJoin("messages", "messages.project_id", "projects.id")
    .leftJoin("attachments", (join) => join.onRef("attachments.message_id", "=", "messages.id").on("attachments.position", "=", 0))
    .leftJoin("files", (join) => join.onRef("files.id", "=", "attachments.file_id").on("files.deleted_at", "is", null))
    // A message that shows a comment has no text of its own.
    .leftJoin("comments", (join) => join.onRef("comments.id", "=", "messages.comment_id").on("comments.deleted_at", "is", null))
    .where("messages.id", "in", ids)
    .where("messages.deleted_at", "is", null)
    .select([
      "messages.id",
      "messages.project_id",
      "messages.account_id",
      "messages.is_audio_message",
      "projects.name as project_name",
      "files.name as attachment_name",
      sql<string>`substr(coalesce(comments.body, messages.body), 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as("text"),
    ])
    .execute();
  const mentionedIds = rows.flatMap(({ text }) => [...text.matchAll(MENTION)].map(([, id]) => Number(id)));
  const names = await loadNames(db, actor, [...rows.map(({ account_id }) => account_id), ...mentionedIds]);
  return rows.map(({ text, is_audio_message, ...row }) => ({
    type: "message",
    ...row,
    name: withoutCutMention(text).replace(MENTION, (mention, id) => (names.has(Number(id)) ? `@${names.get(Number(id))}` : mention)),
    account_name: names.get(row.account_id) ?? null,
    is_audio_message: is_audio_message === 1,
  }));
}

/** Returns the names of those of these people whom the actor sees. */
async function loadNames(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await visibleAccounts(db, actor)
    .where("accounts.id", "in", padIds([...new Set(ids)]))
    .select(["accounts.id", "accounts.username"])
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}
