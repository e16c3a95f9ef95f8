/** Folder listings, file lookup, folder creation, renaming and protection flags. */
import { fileNameKey } from "../../../contract/file-order.ts";
import { sql } from "kysely";
import { loadAuthorizedTeam, type Actor } from "../../access/access.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { isUniqueViolation } from "../../db/engine-errors.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { conflict } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { flagUnreadFiles } from "../projects/unread.ts";
import { enqueueWebhookEvent } from "../webhooks/webhook-events.ts";
import type { FilesDeps } from "./deps.ts";
import { insertFolder, nameColumns, type ProtectionFlags } from "./entry-rows.ts";
import { publishFileEvent, publishSharedComments } from "./file-events.ts";
import { type FindInput, findRows } from "./listing.ts";
import { assertValidName } from "./names.ts";
import type { FilesViewEntry, FileView } from "./presenter.ts";
import {
  assertCanForFile,
  loadFilesViewEntry,
  loadAuthorizedFile,
  lockFolder,
  lockFile,
  findByName,
  loadVersion,
  loadFileView,
  loadFileViews,
} from "./repository.ts";
import type { VersionAnalysis } from "./stored-analysis.ts";
import { assertDepth, assertRemainingFolders, loadDepth, loadFolders } from "./tree.ts";

export interface FolderInput {
  parentId: number;
  name: string;
  removalProtection: boolean;
  taskLoadProtection: boolean;
}

/** Omitted members stay unchanged. */
export interface FileChanges {
  name?: string | undefined;
  removalProtection?: boolean | undefined;
  taskLoadProtection?: boolean | undefined;
}

const nameTakenError = () => conflict("A file or folder with this name already exists here.");

/** Returns whether the input differs from the row; updates without changes publish no event. */
const hasChanges = (before: Row<"files">, input: ProtectionFlags & { name?: string }): boolean =>
  Object.entries(input).some(([column, value]) => before[column as keyof typeof input] !== value);

export function createEntries(deps: FilesDeps) {
  const { database, events, clock, present } = deps;

  async function updateRow(tx: Tx, id: number, changes: Partial<ReturnType<typeof nameColumns>> & ProtectionFlags): Promise<Row<"files">> {
    try {
      return await tx
        .updateTable("files")
        .set((eb) => ({ ...changes, revision: eb("revision", "+", 1) }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
    } catch (error) {
      if (isUniqueViolation(error)) throw nameTakenError();
      throw error;
    }
  }

  async function rename(tx: Tx, actor: Actor, before: Row<"files">, requestedName: string, flags: ProtectionFlags = {}): Promise<FilesViewEntry> {
    assertCanForFile(actor, "file.rename", before, "Your role does not allow renaming.");
    const name = assertValidName(requestedName, "name");
    if (!hasChanges(before, { name, ...flags })) return loadFilesViewEntry(tx, before);
    const after = await updateRow(tx, before.id, { ...flags, ...nameColumns(name, before.is_folder === 1) });
    const view = await publishFileEvent(tx, deps, "file.updated", after);
    if (name !== before.name) {
      await indexRecords(tx, database.engine, "file", [after.id]);
      await publishSharedComments(tx, deps, after.project_id, sql`${after.id}`);
      await enqueueWebhookEvent(tx, deps, actor.organisationId, "file.renamed", {
        ...present.presentFile(view),
        old_name: before.name,
        new_name: name,
        changed_by_account_id: actor.accountId,
        renamed_time: iso(clock.now()),
      });
    }
    return view;
  }

  async function update(tx: Tx, actor: Actor, before: Row<"files">, input: FileChanges): Promise<FilesViewEntry> {
    const flags: ProtectionFlags = {};
    if (input.removalProtection !== undefined) flags.removal_protection = input.removalProtection ? 1 : 0;
    if (input.taskLoadProtection !== undefined) flags.task_load_protection = input.taskLoadProtection ? 1 : 0;
    if (input.name !== undefined) return rename(tx, actor, before, input.name, flags);
    if (!hasChanges(before, flags)) return loadFilesViewEntry(tx, before);
    return publishFileEvent(tx, deps, "file.updated", await updateRow(tx, before.id, flags));
  }

  return {
    async info(actor: Actor, id: number): Promise<FileView> {
      return loadFileView(database.read, await loadAuthorizedFile(database.read, actor, "file.read", id));
    },
    /** Returns the file with all processing results, which are null for folders. `number` selects an older version. */
    async infoWithResults(actor: Actor, id: number, number: number | null): Promise<{ view: FileView; results: VersionAnalysis | null }> {
      const [flagged] = await flagUnreadFiles(database.read, actor.accountId, [await this.info(actor, id)]);
      const newest: FileView = { ...flagged!, folders: await loadFolders(database.read, id) };
      const view = number === null ? newest : { ...newest, version: await loadVersion(database.read, newest.file, number) };
      if (!view.version) return { view, results: null };
      const results = await database.read
        .selectFrom("file_versions")
        .select(["probe", "loudness", "tags", "wave"])
        .where("id", "=", view.version.id)
        .executeTakeFirst();
      return { view, results: results ?? null };
    },
    async find(actor: Actor, query: FindInput & { teamId: number }): Promise<FileView[]> {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", query.teamId);
      return loadFileViews(database.read, await findRows(database.backgroundRead, actor, team.id, query));
    },

    createFolder(actor: Actor, input: FolderInput, idempotencyKey: IdempotencyKey | null): Promise<FileView> {
      const name = assertValidName(input.name, "name");
      return database.write(async (tx) => {
        const parent = await lockFolder(tx, events, actor, "file.create", input.parentId, "parent_id");
        assertDepth((await loadDepth(tx, parent.id)) + 1);
        const now = clock.now();
        const id = await runIdempotent(tx, actor, idempotencyKey, now, async () => {
          if (await findByName(tx, parent.id, fileNameKey(name))) throw nameTakenError();
          await assertRemainingFolders(tx, parent.project_id, 1);
          const folder = await insertFolder(tx, database.engine, parent, name, actor, now, {
            removal_protection: input.removalProtection ? 1 : 0,
            task_load_protection: input.taskLoadProtection ? 1 : 0,
          });
          await publishFileEvent(tx, deps, "file.created", folder);
          return folder.id;
        });
        return loadFileView(tx, await loadAuthorizedFile(tx, actor, "file.create", id));
      });
    },

    rename: (actor: Actor, id: number, name: string): Promise<FileView> =>
      database.write(async (tx) => rename(tx, actor, await lockFile(tx, events, actor, "file.rename", id), name)),

    updateFolder: (actor: Actor, id: number, input: FileChanges): Promise<FileView> =>
      database.write(async (tx) => update(tx, actor, await lockFolder(tx, events, actor, "file.edit", id, "file_id"), input)),

    update: (actor: Actor, id: number, input: FileChanges): Promise<FilesViewEntry> =>
      database.write(async (tx) => update(tx, actor, await lockFile(tx, events, actor, "file.edit", id), input)),
  };
}
