/** Resumable uploads: recorded before their first byte, finished once, expired after a few days. */
import { assertCan, visibleFiles, type Actor } from "../../access/access.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";
import { assertDestination, type Destination } from "./destination.ts";
import { repairedName } from "./names.ts";
import type { MediaKind } from "../../media/recognition/kind.ts";
import { assertQuota, createPartReservation, type PartReservation, releaseReservation } from "./quota.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import { assertSize, commitBlob, recordVersion, type StoredVersion, type UploadResult } from "./uploads.ts";

/** An upload must finish within this time from its start, and its result can be requested for as long. */
export const RESUMABLE_MS = 3 * DAY;
/** Unfinished uploads are deleted later than they expire, so that no request is just recording one of them. */
const DELETE_AFTER_MS = RESUMABLE_MS + MINUTE;
const MAX_UNFINISHED_UPLOADS = 200;
/** The ids that @tus/server makes. */
const UPLOAD_ID = /^[0-9a-f]{32}$/;

export interface ResumableUpload {
  destination: Destination;
  size: number;
  result: UploadResult | null;
}

/** Has all bytes of an upload. */
export interface FinishedParts {
  toBlob(id: string, size: number): Promise<StoredBlob>;
  /** Whether repeated calls return the same blob, which must stay until the upload ends. */
  hasOneBlob: boolean;
}

const uploadResultOf = ({ file_id, version }: Row<"uploads">): UploadResult | null =>
  file_id === null || version === null ? null : { fileId: file_id, version };

/** An earlier version accepted names of which this one would refuse the upload's last part, with all its bytes. */
function repairDestination(destination: Destination): Destination {
  if ("versionOf" in destination) return destination;
  const name = repairedName(destination.name, "file");
  if ("chatOf" in destination) return { ...destination, name };
  const { path } = destination;
  return { ...destination, name, ...(path ? { path: path.map((folder) => repairedName(folder, "folder")) } : {}) };
}

export function createResumable(deps: FilesDeps) {
  const { database, clock } = deps;

  /** Returns the actor's own upload; throws a 404 if there is none. */
  async function loadUploadRow(db: Db, actor: Actor, id: string): Promise<Row<"uploads">> {
    assertCan(actor, "file.create", {}, "Your role does not allow uploads.");
    if (!UPLOAD_ID.test(id)) throw notFound("upload");
    const row = await db.selectFrom("uploads").selectAll().where("id", "=", id).where("account_id", "=", actor.accountId).executeTakeFirst();
    if (!row || row.created_at <= clock.now() - RESUMABLE_MS) throw notFound("upload");
    return row;
  }

  async function loadUpload(actor: Actor, id: string): Promise<ResumableUpload> {
    const row = await loadUploadRow(database.read, actor, id);
    return { destination: repairDestination(JSON.parse(row.destination) as Destination), size: row.size, result: uploadResultOf(row) };
  }

  async function storeFinished(actor: Actor, id: string, parts: FinishedParts): Promise<UploadResult> {
    const { destination, size } = await loadUpload(actor, id);
    const blob = await parts.toBlob(id, size);
    const record = (kind: MediaKind): Promise<StoredVersion> =>
      database.write(async (tx): Promise<StoredVersion> => {
        // Two requests may both have received the last byte; the second one returns the first one's result.
        await acquireAdvisoryLock(tx, database.engine, `upload ${id}`);
        const result = uploadResultOf(await loadUploadRow(tx, actor, id));
        if (result) return { ...result, key: null };
        const storedVersion = await recordVersion(tx, deps, actor, { destination, blob, kind, reservationId: id });
        await tx.updateTable("uploads").set({ file_id: storedVersion.fileId, version: storedVersion.version }).where("id", "=", id).execute();
        await releaseReservation(tx, id);
        return storedVersion;
      });
    return commitBlob(deps, blob, record, { keepsUnused: parts.hasOneBlob });
  }

  return {
    loadUpload,

    /** Returns the current location of a finished upload; null if it is deleted or no longer visible to the actor. */
    async findLocation(actor: Actor, { fileId }: UploadResult): Promise<{ name: string; folder_id: number; folder_name: string } | null> {
      const file = await visibleFiles(database.read, actor)
        .innerJoin("files as folder", "folder.id", "files.parent_id")
        .select(["files.name", "folder.id as folder_id", "folder.name as folder_name"])
        .where("files.id", "=", fileId)
        .executeTakeFirst();
      return file ?? null;
    },

    /** Throws a 413 if files of this size are not accepted. */
    assertSize: (size: number): void => assertSize(deps, size),

    async begin(actor: Actor, id: string, destination: Destination, size: number): Promise<void> {
      assertSize(deps, size);
      await database.write(async (tx) => {
        await assertDestination(tx, actor, destination);
        await assertQuota(deps, tx, actor.organisationId, size);
        const { open } = await tx
          .selectFrom("uploads")
          .select(({ fn }) => fn.countAll<number>().as("open"))
          .where("account_id", "=", actor.accountId)
          .where("file_id", "is", null)
          .executeTakeFirstOrThrow();
        if (open >= MAX_UNFINISHED_UPLOADS) throw conflict(`You have ${MAX_UNFINISHED_UPLOADS} unfinished uploads. Finish or cancel some of them first.`);
        await tx
          .insertInto("uploads")
          .values({ id, account_id: actor.accountId, destination: JSON.stringify(destination), size, created_at: clock.now() })
          .execute();
      });
    },

    /** Returns the reservation of quota for the bytes that arrive from `offset` on. */
    async reserve(actor: Actor, id: string, offset: number): Promise<PartReservation> {
      const { size, created_at } = await loadUploadRow(database.read, actor, id);
      return createPartReservation(deps, { id, organisationId: actor.organisationId, size, offset, expiresAt: created_at + RESUMABLE_MS });
    },

    /** Turns the upload into a file once; repeated calls return the first result. */
    async finish(actor: Actor, id: string, parts: FinishedParts): Promise<UploadResult> {
      const { result } = await loadUpload(actor, id);
      if (result) return result;
      try {
        return await storeFinished(actor, id, parts);
      } catch (error) {
        // A concurrent request may have finished the upload and removed the part in the meantime.
        const concurrentResult = (await loadUpload(actor, id)).result;
        if (concurrentResult) return concurrentResult;
        throw error;
      }
    },

    /** Deletes the actor's canceled upload, and returns whether it was unfinished; a finished one stays. */
    async cancel(actor: Actor, id: string): Promise<boolean> {
      return await database.write(async (tx) => {
        const canceled = tx.deleteFrom("uploads").where("id", "=", id).where("account_id", "=", actor.accountId).where("file_id", "is", null);
        const wasUnfinished = (await canceled.executeTakeFirst()).numDeletedRows > 0n;
        if (wasUnfinished) await releaseReservation(tx, id);
        return wasUnfinished;
      });
    },

    /** Deletes expired uploads, calling `removeParts` first for what is left of them, and returns their number. */
    async expire(removeParts: (id: string, isRecorded: boolean) => Promise<void>): Promise<number> {
      const rows = await database.read
        .selectFrom("uploads")
        .select(["id", "file_id"])
        .where("created_at", "<=", clock.now() - DELETE_AFTER_MS)
        .execute();
      for (const { id, file_id } of rows) {
        // An expired upload cannot be finished. Its record goes last, so that a removal that fails is repeated.
        await removeParts(id, file_id !== null);
        await database.write(async (tx) => {
          await tx.deleteFrom("uploads").where("id", "=", id).execute();
          await releaseReservation(tx, id);
        });
      }
      return rows.length;
    },
  };
}
