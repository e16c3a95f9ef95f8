/**
 * Moves entries into another folder of their project, all or nothing, as the project's only writer, so that two moves cannot create a cycle. A
 * protected entry stays in its folder, but that folder may be moved with it.
 */
import type { Actor } from "../../access/access.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, HttpError, invalid } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";
import { refreshFolderDates } from "./folder-dates.ts";
import type { FilesViewEntry } from "./presenter.ts";
import { loadFilesViewEntries, lockFolder, findTakenKeys } from "./repository.ts";
import { assertCanForTree, loadFiles } from "./selection.ts";
import { loadAncestors, ancestorIdsOf, assertDepth, loadDepth, loadHeight, selectTopmost } from "./tree.ts";

/** Maximum names in the error message; `errors` has all. */
const MAX_NAMES_IN_MESSAGE = 3;

export function createMoving({ database, events, present }: FilesDeps) {
  async function assertNotInsideItself(tx: Tx, movedFiles: readonly Row<"files">[], parent: Row<"files">): Promise<void> {
    const ancestors = await loadAncestors(tx, [parent.id]);
    const ancestorIds = new Set([parent.id, ...ancestorIdsOf(ancestors, parent.id)]);
    const cycle = movedFiles.find(({ id }) => ancestorIds.has(id));
    if (cycle)
      throw conflict(
        cycle.id === parent.id ? `"${cycle.name}" cannot be moved into itself.` : `"${cycle.name}" cannot be moved into one of its own subfolders.`,
      );
  }

  async function assertNamesFree(tx: Tx, movedFiles: readonly Row<"files">[], parent: Row<"files">): Promise<void> {
    const taken = await findTakenKeys(
      tx,
      parent.id,
      movedFiles.map((row) => row.name_key),
    );
    const conflictingNames: string[] = [];
    for (const { name, name_key } of movedFiles) {
      if (taken.has(name_key)) conflictingNames.push(name);
      taken.add(name_key);
    }
    if (conflictingNames.length === 0) return;
    const quotedNames = conflictingNames.slice(0, MAX_NAMES_IN_MESSAGE).map((name) => `"${name}"`);
    const rest = conflictingNames.length > MAX_NAMES_IN_MESSAGE ? ` and ${conflictingNames.length - MAX_NAMES_IN_MESSAGE} more` : "";
    throw new HttpError(409, `"${parent.name}" already has ${quotedNames.join(", ")}${rest}. Nothing was moved.`, {
      errors: conflictingNames.map((name) => ({ path: "file_ids", message: name })),
    });
  }

  return {
    /** Returns the entries after the move; entries already in the folder stay, and publish no event. */
    move(actor: Actor, ids: readonly number[], parentId: number): Promise<FilesViewEntry[]> {
      return database.backgroundWrite(async (tx) => {
        const parent = await lockFolder(tx, events, actor, "file.create", parentId, "parent_id");
        const selected = await loadFiles(tx, actor, "file.move", ids);
        if (selected.some(({ project_id }) => project_id !== parent.project_id)) throw invalid("file_ids", "must be in the folder's project");
        const movedFiles = (await selectTopmost(tx, selected)).filter(({ parent_id }) => parent_id !== parent.id);
        if (movedFiles.length === 0) return loadFilesViewEntries(tx, selected);
        rememberFormerRows(tx, "file", movedFiles);
        const movedIds = movedFiles.map(({ id }) => id);
        await assertCanForTree(tx, actor, "file.move", movedIds, "Your role does not allow moving files that other people added.");
        await assertNotInsideItself(tx, movedFiles, parent);
        const folders = movedFiles.filter(({ is_folder }) => is_folder === 1).map(({ id }) => id);
        if (folders.length > 0) assertDepth((await loadDepth(tx, parent.id)) + (await loadHeight(tx, folders)));
        const protectedEntry = movedFiles.find((row) => row.removal_protection === 1);
        if (protectedEntry) throw conflict(`"${protectedEntry.name}" is protected from removal and cannot be moved. Remove the protection first.`);
        await assertNamesFree(tx, movedFiles, parent);
        await tx
          .updateTable("files")
          .set((eb) => ({ parent_id: parent.id, revision: eb("revision", "+", 1) }))
          .where("id", "in", movedIds)
          .execute();
        await refreshFolderDates(tx, database.engine, [parent.id, ...movedFiles.map(({ parent_id }) => parent_id)]);
        const after = await loadFilesViewEntries(tx, await loadFiles(tx, actor, "file.move", ids));
        for (const entry of after)
          if (movedIds.includes(entry.file.id))
            await events.append(tx, topicOf.project(parent.project_id), "file.updated", { ...present.presentEntry(entry), moved: true });
        return after;
      });
    },
  };
}
