/** Sets a file's status and returns its history; a webhook event is written only if the status really changes. */
import type { Actor } from "../../access/access.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Row } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { toPage } from "../../http/paging.ts";
import { HttpError, invalid } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import type { FilesDeps } from "../files/deps.ts";
import { publishFileEvent } from "../files/file-events.ts";
import { presentFileStatus, type FileView } from "../files/presenter.ts";
import { loadAuthorizedFile, lockFile, loadFileView } from "../files/repository.ts";
import { notifyOfStatus } from "../notifications/watching.ts";
import { enqueueWebhookEvent } from "../webhooks/webhook-events.ts";

export interface StatusInput {
  statusId: number;
  note: string;
  ifStatusId: number | null | undefined;
}
export interface StatusChange {
  change: Row<"status_changes">;
  oldStatus: Row<"file_statuses"> | null;
  newStatus: Row<"file_statuses">;
}

export function createFileStatuses(deps: FilesDeps) {
  const { database, clock, events, present, notify } = deps;
  return {
    /** `ifStatusId`: the status that the caller last saw; if it has changed, the call throws a 409 with the current status. */
    set(actor: Actor, fileId: number, { statusId, note, ifStatusId }: StatusInput): Promise<FileView> {
      return database.write(async (tx) => {
        const { file: current, teamId } = await loadFileView(tx, await lockFile(tx, events, actor, "file.status", fileId));
        if (current.is_folder === 1) throw invalid("file_id", "must be a file");
        const status = await lockRows(
          tx.selectFrom("file_statuses").selectAll().where("id", "=", statusId).where("team_id", "=", teamId).where("deleted_at", "is", null),
          database.engine,
          "share",
        ).executeTakeFirst();
        // Rereads the file after the lock, because replacing a status on all files locks the statuses, not the project.
        const before = await loadFileView(tx, await loadAuthorizedFile(tx, actor, "file.status", fileId));
        if (!status) throw invalid("status_id", "must be a status of the file's team");
        if (before.file.status_id === status.id) return before;
        if (ifStatusId !== undefined && ifStatusId !== before.file.status_id)
          throw new HttpError(409, "Someone else changed the status in the meantime.", {
            extensions: { current_status: before.status && presentFileStatus(before.status) },
          });
        const now = clock.now();
        const file = await tx
          .updateTable("files")
          .set((eb) => ({ status_id: status.id, status_rank: status.position, revision: eb("revision", "+", 1) }))
          .where("id", "=", fileId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await tx
          .insertInto("status_changes")
          .values({ file_id: fileId, old_status_id: before.file.status_id, new_status_id: status.id, note, account_id: actor.accountId, created_at: now })
          .execute();
        await indexRecords(tx, database.engine, "file", [fileId]);
        const view = await publishFileEvent(tx, deps, "file.updated", file);
        await enqueueWebhookEvent(tx, deps, actor.organisationId, "file.status_changed", {
          ...present.presentFile(view),
          old_status: before.status ? presentFileStatus(before.status) : null,
          new_status: presentFileStatus(status),
          change_status_time: iso(now),
          changed_by_account_id: actor.accountId,
        });
        await notifyOfStatus(tx, notify, actor.accountId, file, status.id);
        return view;
      });
    },

    async history(actor: Actor, fileId: number, before: number | null, limit: number): Promise<{ changes: StatusChange[]; next: number | null }> {
      const { read } = database;
      const file = await loadAuthorizedFile(read, actor, "file.read", fileId);
      let query = read.selectFrom("status_changes").selectAll().where("file_id", "=", file.id);
      if (before !== null) query = query.where("id", "<", before);
      const rows = await query
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      const { rows: changes, next } = toPage(rows, limit);
      const ids = [...new Set(changes.flatMap((row) => [row.new_status_id, row.old_status_id ?? row.new_status_id]))];
      const statuses = new Map(
        (ids.length === 0 ? [] : await read.selectFrom("file_statuses").selectAll().where("id", "in", ids).execute()).map((row) => [row.id, row]),
      );
      return {
        changes: changes.flatMap((change) => {
          const newStatus = statuses.get(change.new_status_id);
          return newStatus ? [{ change, oldStatus: change.old_status_id === null ? null : (statuses.get(change.old_status_id) ?? null), newStatus }] : [];
        }),
        next,
      };
    },
  };
}
