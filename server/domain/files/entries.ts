/** Folders and names: listing, finding, making, renaming, protecting. */
import { sql } from "kysely";
import { isDuplicate } from "../../db/engine-errors.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { conflict, forbidden, invalid } from "../../lib/faults.ts";
import type { EntryView, FileView, VersionFindings } from "../../presenters/files.ts";
import { iso } from "../../presenters/records.ts";
import { teamFor, type Actor } from "../access.ts";
import { once, type Repeat } from "../idempotency.ts";
import { withUnread } from "../unread-comments.ts";
import { tellShown } from "./carried.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { insertFolder, nameColumns, type Flags } from "./entry-rows.ts";
import { demandGoodName, fileNameKey } from "./names.ts";
import { recordOutbound } from "../outbound.ts";
import { entryOf, fileFor, findRows, folderFor, lockedFile, namedIn, rowsIn, versionFor, viewOf, viewsOf } from "./repository.ts";
import { demandShallow, depthOf } from "./tree.ts";

/** A folder's listing stops here; the view pages beyond it when folders of that size come. */
const MAX_LISTED = 10_000;
export interface FolderWish {
  parentId: number;
  name: string;
  removalProtection: boolean;
  taskLoadProtection: boolean;
}

/** What is left out stays as it is. */
export interface ChangeWish {
  name?: string | undefined;
  removalProtection?: boolean | undefined;
  taskLoadProtection?: boolean | undefined;
}

const nameTaken = () => conflict("There already is a file or folder of this name here.");

/** What changes nothing is told to nobody. */
const differs = (before: Row<"files">, wish: Flags & { name?: string }): boolean =>
  Object.entries(wish).some(([column, value]) => before[column as keyof typeof wish] !== value);

export function createEntries(deps: FilesDeps) {
  const { database, events, clock, present } = deps;

  async function change(tx: Tx, id: number, changes: Partial<ReturnType<typeof nameColumns>> & Flags): Promise<Row<"files">> {
    try {
      return await tx
        .updateTable("files")
        .set((eb) => ({ ...changes, revision: eb("revision", "+", 1) }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
    } catch (error) {
      if (isDuplicate(error)) throw nameTaken();
      throw error;
    }
  }

  async function rename(tx: Tx, actor: Actor, before: Row<"files">, wished: string, also: Flags = {}): Promise<EntryView> {
    if (before.parent_id === null) throw forbidden("A project's root folder has the project's name.");
    const name = demandGoodName(wished, "name");
    if (!differs(before, { name, ...also })) return entryOf(tx, before);
    const after = await change(tx, before.id, { ...also, ...nameColumns(name, before.is_folder === 1) });
    const view = await announce(tx, deps, "file.updated", after);
    if (name !== before.name) {
      await tellShown(tx, deps, after.project_id, sql`${after.id}`);
      await recordOutbound(tx, deps, actor.organisationId, "file.renamed", {
        ...present.presentFile(view),
        old_name: before.name,
        new_name: name,
        changed_by_account_id: actor.accountId,
        renamed_time: iso(clock.now()),
      });
    }
    return view;
  }

  async function update(tx: Tx, actor: Actor, before: Row<"files">, wish: ChangeWish): Promise<EntryView> {
    const flags: Flags = {};
    if (wish.removalProtection !== undefined) flags.removal_protection = wish.removalProtection ? 1 : 0;
    if (wish.taskLoadProtection !== undefined) flags.task_load_protection = wish.taskLoadProtection ? 1 : 0;
    if (wish.name !== undefined) return rename(tx, actor, before, wish.name, flags);
    if (!differs(before, flags)) return entryOf(tx, before);
    return announce(tx, deps, "file.updated", await change(tx, before.id, flags));
  }

  return {
    async info(actor: Actor, id: number): Promise<FileView> {
      return viewOf(database.read, await fileFor(database.read, actor, "file.read", id));
    },
    /** The same with all that processing found; null for folders. `number`: of an older version. */
    async findings(actor: Actor, id: number, number: number | null): Promise<{ view: FileView; found: VersionFindings | null }> {
      const newest = (await withUnread(database.read, actor.accountId, [await this.info(actor, id)]))[0]!;
      const view = number === null ? newest : { ...newest, version: await versionFor(database.read, newest.file, number) };
      if (!view.version) return { view, found: null };
      const found = await database.read
        .selectFrom("file_versions")
        .select(["probe", "loudness", "tags", "wave"])
        .where("id", "=", view.version.id)
        .executeTakeFirst();
      return { view, found: found ?? null };
    },
    async list(actor: Actor, folderId: number): Promise<FileView[]> {
      const folder = await fileFor(database.read, actor, "file.read", folderId);
      if (folder.is_folder === 0) throw invalid("file_id", "must be a folder");
      return viewsOf(database.read, await rowsIn(database.read, folder.id, MAX_LISTED));
    },
    async find(
      actor: Actor,
      wish: { teamId: number; groupId: number | null | undefined; from: number | null; to: number | null; limit: number; offset: number },
    ): Promise<FileView[]> {
      const team = await teamFor(database.read, actor, "team.read", wish.teamId);
      return viewsOf(database.read, await findRows(database.read, actor, team.id, wish));
    },

    makeFolder(actor: Actor, wish: FolderWish, repeat: Repeat): Promise<FileView> {
      const name = demandGoodName(wish.name, "name");
      return database.write(async (tx) => {
        const parent = await folderFor(tx, events, actor, "file.create", wish.parentId, "parent_id");
        demandShallow((await depthOf(tx, parent.id)) + 1);
        const now = clock.now();
        const id = await once(tx, actor, repeat, now, async () => {
          if (await namedIn(tx, parent.id, fileNameKey(name))) throw nameTaken();
          const folder = await insertFolder(tx, parent, name, actor, now, {
            removal_protection: wish.removalProtection ? 1 : 0,
            task_load_protection: wish.taskLoadProtection ? 1 : 0,
          });
          await announce(tx, deps, "file.created", folder);
          return folder.id;
        });
        return viewOf(tx, await fileFor(tx, actor, "file.create", id));
      });
    },

    rename: (actor: Actor, id: number, name: string): Promise<FileView> =>
      database.write(async (tx) => rename(tx, actor, await lockedFile(tx, events, actor, "file.rename", id), name)),

    updateFolder: (actor: Actor, id: number, wish: ChangeWish): Promise<FileView> =>
      database.write(async (tx) => update(tx, actor, await folderFor(tx, events, actor, "file.rename", id, "file_id"), wish)),

    update: (actor: Actor, id: number, wish: ChangeWish): Promise<EntryView> =>
      database.write(async (tx) => update(tx, actor, await lockedFile(tx, events, actor, "file.rename", id), wish)),
  };
}
