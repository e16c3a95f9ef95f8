/** The files that people watch: those of which they uploaded a version, that they commented on, or that they chose; and who gets notified of a change. */
import { assertCan, visibleFiles, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/errors.ts";
import type { Notify } from "./notify.ts";

type FileRef = Pick<Row<"files">, "id" | "project_id">;
export interface FileWatch {
  file: FileRef;
  isWatching: boolean;
}

/** Makes somebody who has uploaded or commented watch the file, unless they have stopped watching it. */
export async function startWatching(tx: Tx, now: number, fileId: number, accountId: number): Promise<void> {
  await tx
    .insertInto("file_watchers")
    .values({ file_id: fileId, account_id: accountId, watching: 1, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
}

export async function findWatchers(db: Db, fileId: number): Promise<number[]> {
  const rows = await db.selectFrom("file_watchers").select("account_id").where("file_id", "=", fileId).where("watching", "=", 1).execute();
  return rows.map(({ account_id }) => account_id);
}

/** Notifies the watchers of a file of its new status, instead of the one before. */
export async function notifyOfStatus(tx: Tx, notify: Notify, actorId: number, { id: fileId, project_id }: FileRef, statusId: number): Promise<void> {
  const input = { kind: "file_status", actorId, projectId: project_id, dedupeKey: `file_status:${fileId}`, isRenewed: true } as const;
  await notify(tx, [{ ...input, recipientIds: await findWatchers(tx, fileId), subject: { file_id: fileId, status_id: statusId } }]);
}

export function createFileWatching({ database, events, clock }: ModuleDeps) {
  /** Returns the file, which must be none of a folder; throws a 404 unless the actor sees it. */
  async function loadFile(db: Db, actor: Actor, fileId: number): Promise<FileRef> {
    const file = await visibleFiles(db, actor)
      .select(["files.id", "files.project_id"])
      .where("files.id", "=", fileId)
      .where("files.is_folder", "=", 0)
      .executeTakeFirst();
    if (!file) throw notFound("file");
    return file;
  }

  async function isWatching(db: Db, fileId: number, accountId: number): Promise<boolean> {
    const query = db.selectFrom("file_watchers").select("watching").where("file_id", "=", fileId).where("account_id", "=", accountId);
    return (await query.executeTakeFirst())?.watching === 1;
  }

  return {
    async get(actor: Actor, fileId: number): Promise<FileWatch> {
      const file = await loadFile(database.read, actor, fileId);
      assertCan(actor, "file.read", {}, "Your role does not allow seeing files.");
      return { file, isWatching: await isWatching(database.read, file.id, actor.accountId) };
    },

    set(actor: Actor, fileId: number, watching: boolean): Promise<FileWatch> {
      assertCan(actor, "self", {}, "");
      const { accountId } = actor;
      return database.write(async (tx) => {
        const file = await loadFile(tx, actor, fileId);
        await events.lock(tx, topicOf.account(accountId));
        if ((await isWatching(tx, file.id, accountId)) === watching) return { file, isWatching: watching };
        const state = { watching: watching ? 1 : 0 } as const;
        await tx
          .insertInto("file_watchers")
          .values({ file_id: file.id, account_id: accountId, created_at: clock.now(), ...state })
          .onConflict((on) => on.columns(["file_id", "account_id"]).doUpdateSet(state))
          .execute();
        await events.append(tx, topicOf.account(accountId), "file_watch.changed", { file_id: file.id, project_id: file.project_id, watching });
        return { file, isWatching: watching };
      });
    },
  };
}
