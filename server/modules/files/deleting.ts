/** Deletes entries with everything in them in one restorable, all-or-nothing action. */
import { sql } from "kysely";
import type { Deletion } from "../../../contract/file-records.ts";
import type { Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { isAttached } from "./attachments.ts";
import type { FilesDeps } from "./deps.ts";
import { deleteTags } from "./entry-rows.ts";
import { publishAttachments, publishSharedComments, publishWithFiles } from "./file-events.ts";
import { refreshFolderDates } from "./folder-dates.ts";
import type { FileView } from "./presenter.ts";
import { loadFileView } from "./repository.ts";
import { RESTORABLE_MS } from "./retention.ts";
import { assertCanForTree, loadFiles, lockFiles } from "./selection.ts";
import { filesInTree, fromTree, undeletedTree, selectTopmost } from "./tree.ts";

export function createDeleting(deps: FilesDeps) {
  const { database, events, clock } = deps;

  /** Throws a 409 if an entry or anything in it is protected, and a 403 unless the actor may delete everything in it. */
  async function assertDeletable(tx: Tx, actor: Actor, topEntries: readonly Row<"files">[]): Promise<void> {
    const topIds = topEntries.map(({ id }) => id);
    await assertCanForTree(tx, actor, "file.delete", topIds, "Your role does not allow deleting files that other people added.");
    const { rows } = await sql<Pick<Row<"files">, "id" | "name">>`${undeletedTree(topIds)} select files.id, files.name from ${filesInTree}
      and files.removal_protection = 1 order by files.id limit 1`.execute(tx);
    const [protectedEntry] = rows;
    if (!protectedEntry) return;
    const [onlyEntry] = topEntries;
    if (topEntries.length === 1 && protectedEntry.id === onlyEntry?.id) throw conflict("It is protected from removal. Remove the protection first.");
    const location = topEntries.some(({ id }) => id === protectedEntry.id) ? "" : " in it";
    throw conflict(`"${protectedEntry.name}"${location} is protected from removal. Remove the protection first.`);
  }

  async function removeAll(tx: Tx, actor: Actor, ids: readonly number[], unlessAttached: boolean): Promise<{ topEntries: Row<"files">[]; count: number }> {
    const selected = await lockFiles(tx, events, () => loadFiles(tx, actor, "file.delete", ids));
    const topEntries = await selectTopmost(tx, selected);
    await assertDeletable(tx, actor, topEntries);
    if (unlessAttached) for (const { id } of topEntries) if (await isAttached(tx, id)) throw conflict("It is attached to a message or comment.");
    const now = clock.now();
    const topIds = topEntries.map(({ id }) => id);
    await sql`${undeletedTree(topIds)} update files set deleted_at = ${now}, deleted_by = ${actor.accountId}, deleted_with = tree.top
      ${fromTree}`.execute(tx);
    await refreshFolderDates(
      tx,
      database.engine,
      topEntries.map(({ parent_id }) => parent_id),
    );
    await deleteTags(tx, topIds);
    const deletedRows = await tx
      .selectFrom("files")
      .select(["deleted_with", ({ fn }) => fn.countAll<number>().as("count")])
      .where("deleted_with", "in", padIds(topIds))
      .groupBy("deleted_with")
      .execute();
    const counts = new Map(deletedRows.map((row) => [row.deleted_with, row.count]));
    for (const { id, parent_id, project_id, is_folder } of topEntries) {
      await events.append(tx, topicOf.project(project_id), "file.deleted", { id, parent_id, is_folder: is_folder === 1 });
      await auditActor(tx, now, actor, "file.deleted", `file:${id}`, { count: counts.get(id) ?? 1 });
    }
    // The event covers the selected entries; entries below them are republished only where messages attach them.
    const folders = topEntries.flatMap(({ id, is_folder }) => (is_folder === 1 ? [id] : []));
    const [first] = topEntries;
    if (first && folders.length > 0)
      await publishAttachments(tx, deps, first.project_id, sql`select id from files where deleted_with in (${sql.join(padIds(folders))})`);
    const deletedIds = sql`select id from files where deleted_with in (${sql.join(padIds(topIds))})`;
    if (first) await publishSharedComments(tx, deps, first.project_id, deletedIds);
    if (first) await publishWithFiles(tx, deps, first.project_id, deletedIds);
    return { topEntries, count: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  }

  return {
    /** `unlessAttached`: throws a 409 if the file is attached to a message. */
    removeOne: (actor: Actor, id: number, unlessAttached: boolean): Promise<FileView> =>
      database.backgroundWrite(async (tx) => {
        const [file] = await loadFiles(tx, actor, "file.delete", [id]);
        await removeAll(tx, actor, [id], unlessAttached);
        return loadFileView(tx, file!);
      }),

    remove(actor: Actor, ids: readonly number[], idempotencyKey: IdempotencyKey | null): Promise<Deletion> {
      // Marks the rule as checked, because a retried request returns the stored result without calling `removeAll`.
      actor.checkedRules.add("file.delete");
      return database.backgroundWrite((tx) =>
        runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => {
          const { topEntries, count } = await removeAll(tx, actor, ids, false);
          return { file_ids: topEntries.map(({ id }) => id), count, restorable_until: iso(clock.now() + RESTORABLE_MS) };
        }),
      );
    },
  };
}
