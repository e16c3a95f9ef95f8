/** Folders and names: listing, finding, making, renaming, protecting, deleting. */
import { isDuplicate } from "../../db/engine-errors.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, forbidden, invalid } from "../../lib/faults.ts";
import type { FileView, VersionFindings } from "../../presenters/files.ts";
import { iso } from "../../presenters/records.ts";
import { demand, teamFor, type Actor } from "../access.ts";
import { isCarried } from "../attachments.ts";
import { audit } from "../audit.ts";
import { once, type Repeat } from "../idempotency.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { demandGoodName, fileNameKey } from "./names.ts";
import { recordOutbound } from "../outbound.ts";
import { fileFor, findRows, folderFor, lockedFile, namedIn, rowsIn, viewOf, viewsOf, withDescendants } from "./repository.ts";

/** A folder's listing stops here; the view pages beyond it when folders of that size come. */
const MAX_LISTED = 10_000;
/** Parameters of one statement are limited on both engines. */
const IDS_AT_ONCE = 1_000;

export interface FolderWish {
  parentId: number;
  name: string;
  removalProtection: boolean;
  taskLoadProtection: boolean;
}

const nameTaken = () => conflict("There already is a file or folder of this name here.");

export function createEntries(deps: FilesDeps) {
  const { database, events, clock, present } = deps;

  async function change(
    tx: Tx,
    id: number,
    changes: Partial<Pick<Row<"files">, "name" | "name_key" | "removal_protection" | "task_load_protection">>,
  ): Promise<Row<"files">> {
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

  async function rename(tx: Tx, actor: Actor, before: Row<"files">, wished: string, also: Parameters<typeof change>[2] = {}): Promise<FileView> {
    if (before.parent_id === null) throw forbidden("A project's root folder has the project's name.");
    const name = demandGoodName(wished, "name");
    const after = await change(tx, before.id, { ...also, name, name_key: fileNameKey(name) });
    const view = await announce(tx, deps, "file.updated", after);
    if (name !== before.name) {
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

  return {
    async info(actor: Actor, id: number): Promise<FileView> {
      return viewOf(database.read, await fileFor(database.read, actor, "file.read", id));
    },
    /** The same with all that processing found; null for folders. */
    async findings(actor: Actor, id: number): Promise<{ view: FileView; found: VersionFindings | null }> {
      const view = await this.info(actor, id);
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
        const now = clock.now();
        const id = await once(tx, actor, repeat, now, async () => {
          if (await namedIn(tx, parent.id, fileNameKey(name))) throw nameTaken();
          const folder = await tx
            .insertInto("files")
            .values({
              project_id: parent.project_id,
              parent_id: parent.id,
              is_folder: 1,
              name,
              name_key: fileNameKey(name),
              removal_protection: wish.removalProtection ? 1 : 0,
              task_load_protection: wish.taskLoadProtection ? 1 : 0,
              created_by: actor.accountId,
              created_at: now,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          await announce(tx, deps, "file.created", folder);
          return folder.id;
        });
        return viewOf(tx, await fileFor(tx, actor, "file.create", id));
      });
    },

    rename: (actor: Actor, id: number, name: string): Promise<FileView> =>
      database.write(async (tx) => rename(tx, actor, await lockedFile(tx, events, actor, "file.rename", id), name)),

    updateFolder(
      actor: Actor,
      id: number,
      wish: { name?: string | undefined; removalProtection?: boolean | undefined; taskLoadProtection?: boolean | undefined },
    ): Promise<FileView> {
      return database.write(async (tx) => {
        const folder = await folderFor(tx, events, actor, "file.rename", id, "file_id");
        const flags: Parameters<typeof change>[2] = {};
        if (wish.removalProtection !== undefined) flags.removal_protection = wish.removalProtection ? 1 : 0;
        if (wish.taskLoadProtection !== undefined) flags.task_load_protection = wish.taskLoadProtection ? 1 : 0;
        if (wish.name !== undefined) return rename(tx, actor, folder, wish.name, flags);
        return announce(tx, deps, "file.updated", await change(tx, id, flags));
      });
    },

    /**
     * Deletes with all that is in it. Anything protected in there, or of somebody else where that matters, refuses the whole.
     * `unlessSent`: so does a message that carries the file.
     */
    remove(actor: Actor, id: number, unlessSent = false): Promise<FileView> {
      return database.write(async (tx) => {
        const file = await lockedFile(tx, events, actor, "file.delete", id);
        if (file.parent_id === null) throw forbidden("A project's root folder stays as long as the project.");
        const all = await withDescendants(tx, file.id);
        for (const one of all)
          demand(actor, "file.delete", { own: one.created_by === actor.accountId }, "Your role does not allow deleting what others have put in there.");
        const kept = all.find((one) => one.removal_protection === 1);
        if (kept)
          throw conflict(
            kept.id === file.id
              ? "It is protected from removal. Take the protection off first."
              : `"${kept.name}" in it is protected from removal. Take the protection off first.`,
          );
        if (unlessSent && (await isCarried(tx, file.id))) throw conflict("A message carries it.");
        const view = await viewOf(tx, file);
        const now = clock.now();
        const ids = all.map((one) => one.id);
        for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
          await tx
            .updateTable("files")
            .set({ deleted_at: now, deleted_by: actor.accountId })
            .where("id", "in", ids.slice(from, from + IDS_AT_ONCE))
            .execute();
        }
        for (const one of all) await events.append(tx, topicOf.project(one.project_id), "file.deleted", { id: one.id, parent_id: one.parent_id });
        await audit(tx, now, {
          organisationId: actor.organisationId,
          accountId: actor.accountId,
          action: "file.deleted",
          target: `file:${id}`,
          detail: { count: all.length },
        });
        return view;
      });
    },
  };
}
