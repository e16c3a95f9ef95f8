/** Restores deleted entries, each with everything deleted in the same action, in batches per folder instead of entry by entry. */
import { fileNameKey } from "../../../contract/file-order.ts";
import { sql } from "kysely";
import type { Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";
import { nameColumns, restoreTags } from "./entry-rows.ts";
import { publishAttachments, publishSharedComments, publishWithFiles } from "./file-events.ts";
import { refreshFolderDates } from "./folder-dates.ts";
import { findFreeName } from "./names.ts";
import type { FilesViewEntry } from "./presenter.ts";
import { loadFilesViewEntries, findTakenKeys } from "./repository.ts";
import { prepareStatusReplacement } from "./restored-statuses.ts";
import { RESTORABLE_MS } from "./retention.ts";
import { assertCanForTree, loadFiles, loadFilesWithDeleted, lockFiles } from "./selection.ts";
import { loadAncestors, ancestorIdsOf, deletedTree, assertDepth, assertRemainingFolders, filesInTree, fromTree, undeletedTree, type Ancestor } from "./tree.ts";

type Deleted = Row<"files"> & { deleted_with: number };
const idsOf = (entries: readonly { id: number }[]): number[] => entries.map(({ id }) => id);

/** Omits entries that were deleted in the same action as a selected ancestor, because they are restored together with that ancestor. */
function selectIndependent(selected: readonly Deleted[], ancestors: ReadonlyMap<number, Ancestor>): Deleted[] {
  const deletionById = new Map(selected.map(({ id, deleted_with }) => [id, deleted_with]));
  return selected.filter(({ id, deleted_with }) => !ancestorIdsOf(ancestors, id).some((folder) => deletionById.get(folder) === deleted_with));
}

/** Groups entries by the number of selected ancestors, so that a folder is restored before entries in it that were deleted separately. */
function groupByNesting(topEntries: readonly Deleted[], ancestors: ReadonlyMap<number, Ancestor>): Deleted[][] {
  const topIds = new Set(idsOf(topEntries));
  const groups: Deleted[][] = [];
  for (const top of topEntries) (groups[ancestorIdsOf(ancestors, top.id).filter((folder) => topIds.has(folder)).length] ??= []).push(top);
  return groups;
}

export function createRestoring(deps: FilesDeps) {
  const { database, events, clock, present } = deps;

  /** Moves the entries into the nearest existing folder, with a numbered name where the original is taken. */
  async function moveWithFreeNames(tx: Tx, folderId: number, topEntries: readonly Deleted[]): Promise<void> {
    const requestedKeys = topEntries.map(({ name_key }) => name_key);
    const takenKeys = await findTakenKeys(tx, folderId, requestedKeys);
    const assignedKeys = new Set<string>();
    for (const top of topEntries) {
      const isFree = !takenKeys.has(top.name_key) && !assignedKeys.has(top.name_key);
      const name = isFree
        ? top.name
        : await findFreeName(top.name, async (keys) => new Set([...(await findTakenKeys(tx, folderId, keys)), ...assignedKeys, ...requestedKeys]));
      assignedKeys.add(fileNameKey(name));
      if (name === top.name && folderId === top.parent_id) continue;
      await tx
        .updateTable("files")
        .set({ parent_id: folderId, ...nameColumns(name, top.is_folder === 1) })
        .where("id", "=", top.id)
        .execute();
    }
  }

  /** Throws if the depth limit is exceeded, because the parent folder may be deeper now than at the deletion. */
  async function assertRestoredDepth(tx: Tx, byFolder: ReadonlyMap<number, readonly Deleted[]>, ancestors: ReadonlyMap<number, Ancestor>): Promise<void> {
    const topEntries = [...byFolder.values()].flat();
    if (topEntries.every(({ is_folder }) => is_folder === 0)) return;
    const { rows } = await sql<{ top: number; height: number }>`${deletedTree(idsOf(topEntries))} select tree.top, max(tree.level) as height
      from ${filesInTree} and files.is_folder = 1 group by tree.top`.execute(tx);
    const heights = new Map(rows.map(({ top, height }) => [top, height]));
    for (const [folder, entries] of byFolder) assertDepth(ancestorIdsOf(ancestors, folder).length + Math.max(...entries.map(({ id }) => heights.get(id) ?? 0)));
  }

  async function restoreGroup(tx: Tx, actor: Actor, topEntries: readonly Deleted[]): Promise<void> {
    const tree = deletedTree(idsOf(topEntries));
    await assertCanForTree(tx, actor, "file.restore", idsOf(topEntries), "Your role does not allow restoring files that other people added.", tree);
    const ancestors = await loadAncestors(tx, idsOf(topEntries));
    const byFolder = Map.groupBy(topEntries, ({ id }) => {
      const folder = ancestorIdsOf(ancestors, id).find((ancestorId) => ancestors.get(ancestorId)?.deleted_at === null);
      // The root is never deleted.
      if (folder === undefined) throw notFound("folder");
      return folder;
    });
    for (const [folder, entries] of byFolder) await moveWithFreeNames(tx, folder, entries);
    const { rows: counts } = await sql<{ top: number; count: number }>`${tree}
      select top, count(*) as count from tree group by top`.execute(tx);
    await assertRestoredDepth(tx, byFolder, ancestors);
    const applyStatusReplacement = await prepareStatusReplacement(tx, deps, actor, idsOf(topEntries));
    await sql`${deletedTree(idsOf(topEntries))} update files set deleted_at = null, deleted_by = null, deleted_with = null, revision = files.revision + 1
      ${fromTree}`.execute(tx);
    await refreshFolderDates(tx, database.engine, [...byFolder.keys()]);
    const folder = topEntries.find(({ is_folder }) => is_folder === 1);
    if (folder) await assertRemainingFolders(tx, folder.project_id, 0);
    await applyStatusReplacement();
    for (const { top, count } of counts) await auditActor(tx, clock.now(), actor, "file.restored", `file:${top}`, { count });
  }

  async function publishRestored(tx: Tx, projectId: number, ids: readonly number[]): Promise<void> {
    await restoreTags(tx, database.engine, ids);
    const rows = await tx.selectFrom("files").selectAll().where("id", "in", ids).execute();
    const entries = new Map((await loadFilesViewEntries(tx, rows)).map((entry) => [entry.file.id, entry]));
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry) await events.append(tx, topicOf.project(projectId), "file.created", { ...present.presentEntry(entry), restored: true });
    }
    await publishAttachments(tx, deps, projectId, sql`${undeletedTree(ids)} select id from tree`);
    await publishSharedComments(tx, deps, projectId, sql`${undeletedTree(ids)} select id from tree`);
    await publishWithFiles(tx, deps, projectId, sql`${undeletedTree(ids)} select id from tree`);
  }

  return {
    /** Returns the restored entries; entries that were not deleted stay unchanged. */
    restore(actor: Actor, ids: readonly number[]): Promise<FilesViewEntry[]> {
      return database.backgroundWrite(async (tx) => {
        const selected = await lockFiles(tx, events, () => loadFilesWithDeleted(tx, actor, "file.restore", ids));
        const oldest = clock.now() - RESTORABLE_MS;
        if (selected.some(({ deleted_at }) => deleted_at !== null && deleted_at <= oldest)) throw notFound("file");
        const deleted = selected.flatMap((row) => (row.deleted_at === null ? [] : [{ ...row, deleted_with: row.deleted_with ?? row.id }]));
        const ancestors = await loadAncestors(tx, idsOf(deleted));
        const groups = groupByNesting(selectIndependent(deleted, ancestors), ancestors);
        for (const group of groups) await restoreGroup(tx, actor, group);
        const restoredIds = idsOf(groups.flat());
        if (restoredIds.length > 0) await publishRestored(tx, selected[0]?.project_id ?? 0, restoredIds);
        return loadFilesViewEntries(tx, await loadFiles(tx, actor, "file.restore", ids));
      });
    },
  };
}
