/** Bytes become a file, or a new version of one: row, media job and events in one transaction. */
import type { Tx } from "../../db/schema.ts";
import { iso } from "../../presenters/records.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import type { Actor } from "../access.ts";
import { once, type Repeat } from "../idempotency.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { repeatFacts } from "./facts.ts";
import { demandDestination, fileToFill, type Destination } from "./destination.ts";
import { recordOutbound } from "../outbound.ts";
import { demandRoom, demandSize, takeRoom } from "./room.ts";
import { removeUnrecorded } from "./unrecorded.ts";

export const MEDIA_JOB = "media";
/** The copy of a video that must be encoded. */
export const FILM_JOB = "media.film";

export interface Uploaded {
  fileId: number;
  version: number;
}
/** `key`: the blob that the version really has; null or another one where the request was a repetition. */
export type Placed = Uploaded & { key: string | null };

export interface Arrival {
  /** What the sender declares to bring. */
  bytes: number | undefined;
  repeat: Repeat;
  /** The bytes are the caller's: the same Idempotency-Key with other ones is another request. */
  ownBytes: boolean;
}

/** Makes stored bytes a version. */
export async function recordVersion(tx: Tx, deps: FilesDeps, actor: Actor, to: Destination, blob: StoredBlob): Promise<Placed> {
  const now = deps.clock.now();
  const file = await fileToFill(tx, deps, actor, to);
  await takeRoom(deps, tx, actor.organisationId, blob.size);
  await tx
    .insertInto("blobs")
    .values({ key: blob.key, organisation_id: actor.organisationId, size: blob.size, sha256: blob.sha256, created_at: now })
    .execute();
  const newest = await tx.selectFrom("file_versions").select("number").where("file_id", "=", file.id).orderBy("number", "desc").limit(1).executeTakeFirst();
  const version = await tx
    .insertInto("file_versions")
    .values({ file_id: file.id, number: (newest?.number ?? 0) + 1, blob_key: blob.key, size: blob.size, created_by: actor.accountId, created_at: now })
    .returning(["id", "number"])
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("files")
    .set((eb) => ({ version_id: version.id, revision: eb("revision", "+", 1) }))
    .where("id", "=", file.id)
    .execute();
  await repeatFacts(tx, version.id);
  const filled = await tx.selectFrom("files").selectAll().where("id", "=", file.id).executeTakeFirstOrThrow();
  await deps.queue.add(tx, now, MEDIA_JOB, version.id);
  const view = await announce(tx, deps, version.number === 1 ? "file.created" : "file.updated", filled);
  await recordOutbound(tx, deps, actor.organisationId, "file.uploaded", {
    ...deps.present.presentFile(view),
    changed_by_account_id: actor.accountId,
    upload_time: iso(now),
  });
  return { fileId: file.id, version: version.number, key: blob.key };
}

/** Runs the transaction that is to take the blob. A blob that it did not take is removed. */
export async function place({ storage }: Pick<FilesDeps, "storage">, blob: StoredBlob, work: () => Promise<Placed>): Promise<Uploaded> {
  try {
    const { key, ...uploaded } = await work();
    if (key !== blob.key) await storage.remove(blob.key);
    return uploaded;
  } catch (error) {
    await removeUnrecorded({ storage }, [blob.key], error);
    throw error;
  }
}

export function createUploads(deps: FilesDeps) {
  const { database, clock, storage, limits } = deps;
  return {
    /** Asked before the first byte is taken; asked again when the last one is there. */
    async demandPossible(actor: Actor, to: Destination, bytes: number | undefined): Promise<void> {
      demandSize(deps, bytes ?? 0);
      await demandDestination(database.read, actor, to);
      await demandRoom(deps, database.read, actor.organisationId, bytes ?? 0);
    },

    /** Stores a stream and makes it a file. A failure leaves nothing behind. */
    async receive(actor: Actor, to: Destination, source: AsyncIterable<Uint8Array>, { bytes, repeat, ownBytes }: Arrival): Promise<Uploaded> {
      await this.demandPossible(actor, to, bytes);
      const blob = await storage.put(source, { maxBytes: limits.uploadBytes, expectedBytes: bytes });
      const asked = repeat && ownBytes ? { ...repeat, request: [repeat.request, blob.sha256] } : repeat;
      return place(deps, blob, () => database.write((tx) => once(tx, actor, asked, clock.now(), () => recordVersion(tx, deps, actor, to, blob))));
    },
  };
}
