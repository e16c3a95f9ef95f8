/** Pages of the files view: a folder or all below it, filtered and in one of its orders, by keyset so that nothing comes twice or is left out. */
import type { Database } from "../../db/database.ts";
import { evenly } from "../../db/portable.ts";
import type { Db, Row } from "../../db/schema.ts";
import { invalid, notFound } from "../../lib/faults.ts";
import type { EntryView } from "../../presenters/files.ts";
import { projectFor, type Actor } from "../access.ts";
import { withUnread } from "../unread-comments.ts";
import { isAboutFiles, type Filter } from "./filter.ts";
import { pageOf, SECTIONS, type Cursor, type Order, type Placed, type Scope } from "./page-query.ts";
import { entriesOf, fileFor } from "./repository.ts";
import { aboveOf, chainOf } from "./tree.ts";

export interface ListingWish extends Order {
  folderId: number | null;
  deep: boolean;
  filter: Filter;
  cursor: Cursor | null;
  limit: number;
}

/** Names of the folders between `rootId` and each entry: "Stems/Drums". */
async function withPaths(db: Db, rootId: number, entries: EntryView[]): Promise<EntryView[]> {
  const above = await aboveOf(
    db,
    entries.map(({ file }) => file.id),
  );
  return entries.map((entry) => {
    const chain = chainOf(above, entry.file.id);
    const between = chain.slice(0, Math.max(0, chain.indexOf(rootId))).toReversed();
    return { ...entry, path: between.map((id) => above.get(id)?.name ?? "").join("/") };
  });
}

/** In the order of the ids. What has gone between the two questions is left out. */
async function rowsOf(db: Db, ids: readonly number[]): Promise<Row<"files">[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("files").selectAll().where("id", "in", evenly(ids)).where("deleted_at", "is", null).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function createListing({ database }: { database: Database }) {
  async function folderOf(actor: Actor, projectId: number, folderId: number | null): Promise<{ project: Row<"projects">; folder: number }> {
    const project = await projectFor(database.read, actor, "file.read", projectId);
    if (folderId === null || folderId === project.root_folder_id) return { project, folder: project.root_folder_id ?? 0 };
    const folder = await fileFor(database.read, actor, "file.read", folderId);
    if (folder.project_id !== project.id) throw notFound("folder in this project");
    if (folder.is_folder === 0) throw invalid("folder_id", "must be a folder");
    return { project, folder: folder.id };
  }

  return {
    async list(actor: Actor, projectId: number, wish: ListingWish): Promise<{ entries: EntryView[]; last: Placed | null }> {
      const { read } = database;
      const { project, folder } = await folderOf(actor, projectId, wish.folderId);
      const scope: Scope = !wish.deep ? { in: folder } : folder === project.root_folder_id ? { of: project.id } : { below: folder };
      const found: Placed[] = [];
      for (const section of SECTIONS[wish.sort]) {
        // What the cursor has passed, and where no folder can be.
        if (section === 1 && (wish.cursor?.section === 0 || (wish.sort === "name" && isAboutFiles(wish.filter)))) continue;
        const after = wish.cursor && (section === null || wish.cursor.section === section) ? wish.cursor.values : null;
        found.push(...(await pageOf(read, scope, wish, { section, after, limit: wish.limit + 1 - found.length }).execute()));
        if (found.length > wish.limit) break;
      }
      const placed = found.slice(0, wish.limit);
      const page = await rowsOf(
        read,
        placed.map(({ id }) => id),
      );
      const entries = await withUnread(read, actor.accountId, await entriesOf(read, page));
      return {
        entries: wish.deep ? await withPaths(read, folder, entries) : entries,
        last: found.length > wish.limit ? (placed.at(-1) ?? null) : null,
      };
    },

    /** All folders of the project, the root first. */
    async folders(actor: Actor, projectId: number): Promise<EntryView[]> {
      const { read } = database;
      const project = await projectFor(read, actor, "file.read", projectId);
      const rows = await read
        .selectFrom("files")
        .selectAll()
        .where("project_id", "=", project.id)
        .where("is_folder", "=", 1)
        .where("deleted_at", "is", null)
        .orderBy("order_key")
        .orderBy("id")
        .execute();
      const root = rows.filter(({ parent_id }) => parent_id === null);
      return entriesOf(read, [...root, ...rows.filter(({ parent_id }) => parent_id !== null)]);
    },
  };
}
