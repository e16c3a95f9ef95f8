/** Turns uploaded bytes into a file or a new version, within size limit and quota: rows, media job and events in one transaction. */
import { formatCount } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import { type IdempotencyKey, runIdempotent } from "../../access/idempotency.ts";
import { isUnavailable } from "../../db/engine-errors.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { HttpError } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { detectKind } from "../../media/recognition/detect-kind.ts";
import type { MediaKind } from "../../media/recognition/kind.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import { notifyOfStatus, startWatching } from "../notifications/watching.ts";
import { enqueueWebhookEvent } from "../webhooks/webhook-events.ts";
import { insertBlobs } from "./blob-rows.ts";
import type { FilesDeps } from "./deps.ts";
import { assertDestination, type Destination, resolveTargetFile } from "./destination.ts";
import { removeEarlierPages } from "./document-pages.ts";
import { syncFileFacts } from "./entry-rows.ts";
import { publishFileEvent } from "./file-events.ts";
import type { FileView } from "./presenter.ts";
import { assertQuota, claimQuota, createQuotaReservation, releaseReservation } from "./quota.ts";
import { prepareStatusReset, recordStatusChanges } from "./status-replacement.ts";

export const MEDIA_JOB = "media";
/** The job for what takes long, such as encoding the copy of a video. Jobs in the database carry this kind, so it must not change. */
export const LONG_JOB = "media.film";
/** The job for documents that were uploaded before the service read their text; a migration adds these jobs. */
export const TEXT_JOB = "media.text";

export interface UploadResult {
  fileId: number;
  version: number;
}
/** `key`: the blob that the version actually uses; null or another key if the request was a retry. */
export type StoredVersion = UploadResult & { key: string | null };

interface UploadOptions {
  /** The declared size. */
  bytes: number | undefined;
  idempotencyKey: IdempotencyKey | null;
  /** The bytes are part of the request, so the same Idempotency-Key with other bytes is another request. */
  bytesInRequest: boolean;
}

export function createUploads(deps: FilesDeps) {
  const { database, clock, storage, limits } = deps;
  return {
    /** Checks size, destination and quota before the first byte is received. Destination and quota are checked again after the last one. */
    async assertUploadAllowed(actor: Actor, destination: Destination, bytes: number | undefined): Promise<void> {
      assertSize(deps, bytes ?? 0);
      await assertDestination(database.read, actor, destination);
      await assertQuota(deps, database.read, actor.organisationId, bytes ?? 0);
    },

    /** Stores a stream and turns it into a file; a failure leaves nothing behind. */
    async receive(
      actor: Actor,
      destination: Destination,
      source: AsyncIterable<Uint8Array>,
      { bytes, idempotencyKey, bytesInRequest }: UploadOptions,
    ): Promise<UploadResult> {
      await this.assertUploadAllowed(actor, destination, bytes);
      const reservation = createQuotaReservation(deps, actor.organisationId, bytes);
      try {
        const blob = await storage.put(reservation.admit(source), { maxBytes: limits.maxUploadBytes, expectedBytes: bytes });
        const keyWithContent = idempotencyKey && bytesInRequest ? { ...idempotencyKey, request: [idempotencyKey.request, blob.sha256] } : idempotencyKey;
        return await commitBlob(deps, blob, (kind) => {
          const upload = { destination, blob, kind, reservationId: reservation.id };
          return database.write(async (tx) => {
            const version = await runIdempotent(tx, actor, keyWithContent, clock.now(), () => recordVersion(tx, deps, actor, upload));
            await releaseReservation(tx, reservation.id);
            return version;
          });
        });
      } catch (error) {
        // A reservation that cannot be released expires by itself.
        await reservation.release().catch(() => {});
        throw error;
      }
    },
  };
}

export function assertSize({ limits }: Pick<FilesDeps, "limits">, bytes: number): void {
  if (bytes > limits.maxUploadBytes) throw new HttpError(413, `The file is larger than the limit of ${formatCount(limits.maxUploadBytes)} bytes.`);
}

export interface StoredUpload {
  destination: Destination;
  blob: StoredBlob;
  /** By the first look at the content; processing finds out the rest. */
  kind: MediaKind;
  /** What has reserved quota for these bytes. */
  reservationId: string;
}

/** Records a stored blob as a version, with the rights that the uploader has now. */
export async function recordVersion(
  tx: Tx,
  deps: FilesDeps,
  uploader: Actor,
  { destination, blob, kind, reservationId }: StoredUpload,
): Promise<StoredVersion> {
  const now = deps.clock.now();
  // An upload may take hours, in which the uploader's role, session or token may end.
  const actor = await deps.reauthenticate(tx, uploader);
  const file = await resolveTargetFile(tx, deps, actor, destination);
  await claimQuota(deps, tx, actor.organisationId, blob.size, reservationId);
  await insertBlobs(tx, actor.organisationId, [blob], now);
  const version = await addVersion(tx, deps, actor, file, { blob_key: blob.key, size: blob.size, kind }, (number) => `New version ${number}`);
  return { fileId: file.id, version: version.number, key: blob.key };
}

/** Adds a version with these stored bytes to a file whose project is locked, and does all that follows from a new version. `noteOf`: of the status history. */
export async function addVersion(
  tx: Tx,
  deps: FilesDeps,
  actor: Actor,
  file: Row<"files">,
  content: Pick<Row<"file_versions">, "blob_key" | "size" | "kind">,
  noteOf: (number: number) => string,
): Promise<{ number: number; view: FileView }> {
  const now = deps.clock.now();
  const latestVersion = await tx
    .selectFrom("file_versions")
    .select("number")
    .where("file_id", "=", file.id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const version = await tx
    .insertInto("file_versions")
    .values({
      file_id: file.id,
      number: (latestVersion?.number ?? 0) + 1,
      ...content,
      created_by: actor.accountId,
      created_at: now,
    })
    .returning(["id", "number"])
    .executeTakeFirstOrThrow();
  const reset = version.number === 1 ? null : await prepareStatusReset(tx, deps.database.engine, file);
  await tx
    .updateTable("files")
    .set((eb) => ({
      version_id: version.id,
      revision: eb("revision", "+", 1),
      ...(reset ? { status_id: reset.to.id, status_rank: reset.to.position } : {}),
    }))
    .where("id", "=", file.id)
    .execute();
  await syncFileFacts(tx, deps.database.engine, version.id);
  if (version.number > 1) await removeEarlierPages(tx, deps.database.engine, file.id);
  const updatedFile = await tx.selectFrom("files").selectAll().where("id", "=", file.id).executeTakeFirstOrThrow();
  await deps.queue.enqueue(tx, now, { kind: MEDIA_JOB, subject_id: version.id, organisation_id: actor.organisationId, account_id: actor.accountId });
  const view = await publishFileEvent(tx, deps, version.number === 1 ? "file.created" : "file.updated", updatedFile);
  await enqueueWebhookEvent(tx, deps, actor.organisationId, "file.uploaded", {
    ...deps.present.presentFile(view),
    changed_by_account_id: actor.accountId,
    upload_time: iso(now),
  });
  if (reset) await recordStatusChanges(tx, deps, actor, [updatedFile], reset, noteOf(version.number));
  if (reset) await notifyOfStatus(tx, deps.notify, actor.accountId, updatedFile, reset.to.id);
  await startWatching(tx, now, file.id, actor.accountId);
  return { number: version.number, view };
}

/** Runs the transaction that records the blob, with the kind of its content, and removes the blob if it is not used, unless `keepsUnused`. */
export async function commitBlob(
  { storage }: Pick<FilesDeps, "storage">,
  blob: StoredBlob,
  work: (kind: MediaKind) => Promise<StoredVersion>,
  { keepsUnused = false } = {},
): Promise<UploadResult> {
  try {
    const { key, ...result } = await work(await storage.withLocalSketch(blob.key, detectKind));
    if (key !== blob.key && !keepsUnused) await storage.remove(blob.key);
    return result;
  } catch (error) {
    if (!keepsUnused) await removeOrphanBlobs({ storage }, [blob.key], error);
    throw error;
  }
}

/** Removes blobs stored for a transaction that failed with `error`. */
export async function removeOrphanBlobs({ storage }: Pick<FilesDeps, "storage">, keys: readonly string[], error: unknown): Promise<void> {
  // If the connection broke at the commit, the rows may exist nevertheless, and an orphan blob is better than a lost file.
  if (isUnavailable(error)) return;
  // A store out of reach leaves orphans, and must not hide the error.
  await Promise.allSettled(keys.map((key) => storage.remove(key)));
}
