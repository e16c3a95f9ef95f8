/**
 * Pictures of accounts. An upload is decoded in the media process, which writes the three sizes; the original is not kept. A picture that another one or
 * none replaces loses its bytes at once, and if the process ends in between, by the hourly job.
 */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { AVATAR_SIDES, type AvatarSize } from "../../../contract/account-profile.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import { assertCan, loadAuthorizedAccount, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { isUnavailable } from "../../db/engine-errors.ts";
import { createFairQueue } from "../../db/fair-queue.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { createCounts } from "../../lib/counts.ts";
import { HttpError, invalid, notFound } from "../../lib/errors.ts";
import { MediaFailure } from "../../media/failure.ts";
import type { SquarePictures } from "../../media/square-pictures.ts";
import type { Storage } from "../../storage/storage.ts";
import { publishAccountUpdated } from "./profiles.ts";

export interface AvatarDeps extends ModuleDeps {
  storage: Storage;
  /** Writes the middle square of a picture as WebP in these side lengths, each as `<side>.webp`. Throws a `MediaFailure`. */
  writeSquares: SquarePictures;
  /** Returns the actor as it is now, in the caller's transaction. Throws a 401 if its session or token has ended meanwhile. */
  reauthenticate(tx: Tx, actor: Actor): Promise<Actor>;
}

const SIZES = Object.keys(AVATAR_SIDES) as AvatarSize[];
const BATCH_SIZE = 100;
/** Uploads at a time, of which one is decoded and the others arrive or wait. */
const MAX_UPLOADS = 20;
const ALL = "all";

type Keys = Record<AvatarSize, string>;
const keysOf = (row: Pick<Row<"avatars">, `${AvatarSize}_key`>): string[] => SIZES.map((size) => row[`${size}_key`]);

export function createAvatars(deps: AvatarDeps) {
  const { database, clock, storage } = deps;
  // Each picture takes a process of its own, so that one at a time bounds memory and processor time. Organizations and accounts take turns.
  const turns = createFairQueue({ atOnce: 1, atOncePerAccount: 1 });
  const uploadsOf = createCounts();
  const removeAll = (keys: string[]): Promise<unknown> => Promise.all(keys.map((key) => storage.remove(key)));

  /** Stores the three sizes of an upload; the upload itself stays in a temporary folder. */
  const receive = (source: AsyncIterable<Uint8Array>, expectedBytes: number | undefined): Promise<Keys> =>
    storage.withTemporaryFolder(async (folder) => {
      const [input, outputs] = [join(folder, "upload"), join(folder, "sizes")];
      await pipeline(storage.admit(limitBytes(source, expectedBytes)), createWriteStream(input));
      await mkdir(outputs);
      const sides = Object.values(AVATAR_SIDES);
      const endTurn = await turns.enter();
      const files = await deps
        .writeSquares({ input, outputs, sides, maxPixels: LIMITS.avatar_pixels })
        .catch((error: unknown) => {
          throw toHttpError(error);
        })
        .finally(endTurn);
      const keys: Partial<Keys> = {};
      try {
        for (const size of SIZES) {
          const { name, bytes } = files[AVATAR_SIDES[size]]!;
          keys[size] = (await storage.importFile(join(outputs, name), bytes)).key;
        }
        return keys as Keys;
      } catch (error) {
        await removeAll(Object.values(keys));
        throw error;
      }
    });

  /** Makes the picture the account's current one; null removes the current one. */
  async function replace(tx: Tx, actor: Actor, avatarId: number | null): Promise<Row<"accounts">> {
    const account = await tx.updateTable("accounts").set({ avatar_id: avatarId }).where("id", "=", actor.accountId).returningAll().executeTakeFirstOrThrow();
    await tx
      .updateTable("avatars")
      .set({ replaced_at: clock.now() })
      .where("account_id", "=", actor.accountId)
      .where("replaced_at", "is", null)
      .$if(avatarId !== null, (query) => query.where("id", "!=", avatarId))
      .execute();
    await publishAccountUpdated(tx, deps, account);
    return account;
  }

  /** Removes bytes and then rows, because nothing would find bytes without a row. `accountId`: only of this account. */
  async function purgeReplaced(accountId?: number): Promise<number> {
    let count = 0;
    for (;;) {
      const rows = await database.read
        .selectFrom("avatars")
        .selectAll()
        .where("replaced_at", "is not", null)
        .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId!))
        .limit(BATCH_SIZE)
        .execute();
      for (const row of rows) await removeAll(keysOf(row));
      if (rows.length > 0)
        await database.write((tx) =>
          tx
            .deleteFrom("avatars")
            .where(
              "id",
              "in",
              rows.map(({ id }) => id),
            )
            .execute(),
        );
      count += rows.length;
      if (rows.length < BATCH_SIZE) return count;
    }
  }

  /** What cannot be removed now is removed by the hourly job. */
  const purgeOwn = ({ accountId }: Actor): Promise<unknown> => purgeReplaced(accountId).catch(() => {});

  /** Throws a 429 if another picture of the account is under way, a 503 if too many of others are. Returns a function that ends the upload. */
  function startUpload({ accountId }: Actor): () => void {
    if (uploadsOf.get(`account:${accountId}`) > 0)
      throw new HttpError(429, "Another picture of yours is being processed. Try again when it has arrived.", { retryAfter: 2 });
    if (uploadsOf.get(ALL) >= MAX_UPLOADS) throw new HttpError(503, "Too many pictures are being processed. Try again in 10 s.", { retryAfter: 10 });
    const ends = [uploadsOf.add(`account:${accountId}`), uploadsOf.add(ALL)];
    return () => ends.forEach((end) => end());
  }

  /** Makes stored bytes the picture of the account as it is now; removes them if that fails. */
  async function commit(uploader: Actor, keys: Keys): Promise<Row<"accounts">> {
    try {
      return await database.write(async (tx) => {
        // The session or token may have ended during the upload.
        const actor = await deps.reauthenticate(tx, uploader);
        const { id } = await tx
          .insertInto("avatars")
          .values({ account_id: actor.accountId, small_key: keys.small, medium_key: keys.medium, large_key: keys.large, created_at: clock.now() })
          .returning("id")
          .executeTakeFirstOrThrow();
        return replace(tx, actor, id);
      });
    } catch (error) {
      // If the connection broke at the commit, the row may exist nevertheless, and orphan bytes are better than a missing picture.
      if (!isUnavailable(error)) await removeAll(Object.values(keys));
      throw error;
    }
  }

  return {
    /** Replaces the actor's picture by the upload. Throws a 400 for what is no picture, a 413 for one that is too large. */
    async set(actor: Actor, source: AsyncIterable<Uint8Array>, expectedBytes: number | undefined): Promise<Row<"accounts">> {
      assertCan(actor, "self", {}, "");
      if ((expectedBytes ?? 0) > LIMITS.avatar_bytes) throw tooLarge();
      const end = startUpload(actor);
      try {
        const account = await commit(actor, await receive(source, expectedBytes));
        await purgeOwn(actor);
        return account;
      } finally {
        end();
      }
    },

    async remove(actor: Actor): Promise<Row<"accounts">> {
      assertCan(actor, "self", {}, "");
      const account = await database.write((tx) => replace(tx, actor, null));
      await purgeOwn(actor);
      return account;
    },

    /** Returns the key of a person's current picture. Throws a 404 for a person whom the actor does not see, and for one without a picture. */
    async findKey(actor: Actor, accountId: number, size: AvatarSize): Promise<string> {
      const { avatar_id } = await loadAuthorizedAccount(database.read, actor, "account.read", accountId);
      const avatar = avatar_id === null ? undefined : await database.read.selectFrom("avatars").selectAll().where("id", "=", avatar_id).executeTakeFirst();
      if (!avatar) throw notFound("picture");
      return avatar[`${size}_key`];
    },

    /** Deletes pictures that a process replaced before it ended. Runs every hour. */
    purgeReplaced: () => purgeReplaced(),
  };
}

const tooLarge = (): HttpError => new HttpError(413, `The picture is larger than the limit of ${formatCount(LIMITS.avatar_bytes)} bytes.`);

/** Passes the bytes on. Throws a 413 beyond the limit, a 400 if they are not as many as declared. */
async function* limitBytes(source: AsyncIterable<Uint8Array>, expectedBytes: number | undefined): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.byteLength;
    if (received > LIMITS.avatar_bytes) throw tooLarge();
    yield chunk;
  }
  if (expectedBytes !== undefined && received !== expectedBytes) throw invalid("body", "must have as many bytes as Content-Length says");
}

function toHttpError(error: unknown): unknown {
  if (!(error instanceof MediaFailure)) return error;
  if (error.code === "empty") return invalid("body", "must not be empty");
  if (error.code === "too-large-image") return new HttpError(413, `The picture has more than ${formatCount(LIMITS.avatar_pixels)} pixels.`);
  if (error.code === "not-media" || error.code === "not-supported") return invalid("body", "must be a PNG, JPEG, GIF, WebP or AVIF picture");
  if (error.code === "damaged" || !error.retry) return invalid("body", "is a damaged picture");
  return new HttpError(503, "The picture could not be processed. Try again.", { retryAfter: 5 });
}

/** Yields the keys of all pictures, for the check that compares them with the stored bytes. */
export async function* recordedAvatarKeys(db: Db): AsyncGenerator<{ key: string; description: string }> {
  for (let after = 0; ;) {
    const rows = await db.selectFrom("avatars").selectAll().where("id", ">", after).orderBy("id").limit(BATCH_SIZE).execute();
    for (const row of rows) for (const key of keysOf(row)) yield { key, description: `picture of account ${row.account_id}` };
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
