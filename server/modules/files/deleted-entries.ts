/** Lists what was deleted and can still be restored: one entry for each file or folder that somebody selected for deletion. */
import { sql } from "kysely";
import { seesOnlyOwnProjects } from "../../../contract/policy.ts";
import { loadAuthorizedProject, visibleProjects, type Actor, can } from "../../access/access.ts";
import type { Db, Row } from "../../db/schema.ts";
import { cutToPage } from "../../http/paging.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import type { FileViewDeps } from "./deps.ts";
import type { DeletedEntry } from "./presenter.ts";
import { loadFilesViewEntries } from "./repository.ts";
import { RESTORABLE_MS } from "./retention.ts";
import { ancestorIdsOf, loadAncestors } from "./tree.ts";

/** The last entry of the page before. */
export interface DeletedCursor {
  deletedAt: number;
  id: number;
}

export const encodeDeletedCursor = (last: DeletedEntry | null): string | null =>
  last && Buffer.from(`deleted:${last.file.deleted_at}:${last.file.id}`).toString("base64url");

/** Throws a 400 for a cursor of another list. */
export function decodeDeletedCursor(cursor: string | undefined): DeletedCursor | null {
  if (cursor === undefined) return null;
  const [, deletedAt, id] = /^deleted:(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!deletedAt || !id) throw invalid("cursor", "must be a next_cursor of this list");
  return { deletedAt: Number(deletedAt), id: Number(id) };
}

export function createDeletedEntries({ database, clock }: FileViewDeps) {
  /** Entries that the actor may restore: guests only what they added, with everything in it. */
  function restorable(db: Db, actor: Actor) {
    const query = db
      .selectFrom("files")
      .selectAll("files")
      .where("files.deleted_at", ">", clock.now() - RESTORABLE_MS)
      .where("files.parent_id", "is not", null);
    if (!seesOnlyOwnProjects(actor.role)) return query;
    return query
      .where("files.created_by", "=", actor.accountId)
      .where(sql<boolean>`not exists (select 1 from files inside where inside.deleted_with = files.id and inside.created_by <> ${actor.accountId})`);
  }

  async function complete(db: Db, rows: Row<"files">[]): Promise<DeletedEntry[]> {
    const ids = rows.map(({ id }) => id);
    const [entries, ancestors] = await Promise.all([loadFilesViewEntries(db, rows), loadAncestors(db, ids)]);
    const counts =
      ids.length === 0
        ? []
        : await db
            .selectFrom("files")
            .select(["deleted_with", ({ fn }) => fn.countAll<number>().as("count")])
            .where("deleted_with", "in", ids)
            .groupBy("deleted_with")
            .execute();
    const countOf = new Map(counts.map(({ deleted_with, count }) => [deleted_with, count]));
    return entries.map((entry) => ({
      ...entry,
      // The last ancestor is the root, whose name is that of the project.
      location: ancestorIdsOf(ancestors, entry.file.id)
        .slice(0, -1)
        .toReversed()
        .map((id) => ancestors.get(id)?.name ?? ""),
      restorableUntil: (entry.file.deleted_at ?? 0) + RESTORABLE_MS,
      containedCount: Math.max(0, (countOf.get(entry.file.id) ?? 1) - 1),
    }));
  }

  return {
    /** Returns a page, last deleted first. */
    async list(actor: Actor, projectId: number, after: DeletedCursor | null, limit: number): Promise<{ entries: DeletedEntry[]; last: DeletedEntry | null }> {
      await loadAuthorizedProject(database.read, actor, "file.read", projectId);
      let query = restorable(database.read, actor)
        .where("files.project_id", "=", projectId)
        .where(({ or, eb }) => or([eb("files.deleted_with", "is", null), eb("files.deleted_with", "=", eb.ref("files.id"))]));
      if (after) query = query.where(sql<boolean>`(files.deleted_at, files.id) < (${after.deletedAt}, ${after.id})`);
      const rows = await query
        .orderBy("files.deleted_at", "desc")
        .orderBy("files.id", "desc")
        .limit(limit + 1)
        .execute();
      const entries = cutToPage(await complete(database.read, rows.slice(0, limit)));
      return { entries, last: rows.length > entries.length ? (entries.at(-1) ?? null) : null };
    },

    /** Returns one deleted file or folder, also one that was deleted with its folder. Throws a 404 unless the actor may restore it. */
    async get(actor: Actor, id: number): Promise<DeletedEntry> {
      can(actor, "file.read");
      const row = await restorable(database.read, actor)
        .where("files.id", "=", id)
        .where("files.project_id", "in", visibleProjects(database.read, actor).select("projects.id"))
        .executeTakeFirst();
      const [entry] = row ? await complete(database.read, [row]) : [];
      if (!entry) throw notFound("deleted file");
      return entry;
    },
  };
}
