/** Resumable uploads: noted before their first byte, finished once, forgotten after a few days. */
import { takeTurns } from "../../db/portable.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict, notFound } from "../../lib/faults.ts";
import { demand, visibleFiles, type Actor } from "../access.ts";
import type { FilesDeps } from "./deps.ts";
import { demandDestination, type Destination } from "./destination.ts";
import { demandSize, takeRoom } from "./room.ts";
import { place, recordVersion, type Placed, type Uploaded } from "./uploads.ts";

/** From its beginning on an upload has this long to end; so long its result can be asked for. */
export const RESUMABLE_MS = 3 * DAY;
const MAX_UNDER_WAY = 200;

export interface UnderWay {
  to: Destination;
  size: number;
  done: Uploaded | null;
}

const doneOf = ({ file_id, version }: Row<"uploads">): Uploaded | null => (file_id === null || version === null ? null : { fileId: file_id, version });

export function createResumable(deps: FilesDeps) {
  const { database, clock, storage } = deps;

  /** The actor's own upload, else a 404. */
  async function rowFor(db: Db, actor: Actor, id: string): Promise<Row<"uploads">> {
    demand(actor, "file.create", {}, "Your role does not allow uploads.");
    const row = await db.selectFrom("uploads").selectAll().where("id", "=", id).where("account_id", "=", actor.accountId).executeTakeFirst();
    if (!row || row.created_at <= clock.now() - RESUMABLE_MS) throw notFound("upload");
    return row;
  }

  /** What the organisation's unfinished uploads said they will bring: each fits by itself, but the disk has to hold them all. */
  async function bytesUnderWay(tx: Tx, organisationId: number): Promise<number> {
    const { bytes } = await tx
      .selectFrom("uploads")
      .innerJoin("accounts", "accounts.id", "uploads.account_id")
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number | string>("uploads.size"), eb.lit(0)).as("bytes"))
      .where("accounts.organisation_id", "=", organisationId)
      .where("uploads.file_id", "is", null)
      .executeTakeFirstOrThrow();
    return Number(bytes);
  }

  async function underWay(actor: Actor, id: string): Promise<UnderWay> {
    const row = await rowFor(database.read, actor, id);
    return { to: JSON.parse(row.destination) as Destination, size: row.size, done: doneOf(row) };
  }

  async function take(actor: Actor, id: string, path: string): Promise<Uploaded> {
    const { to, size } = await underWay(actor, id);
    const blob = await storage.adopt(path, size);
    return place(deps, blob, () =>
      database.write(async (tx): Promise<Placed> => {
        // Two requests may both have seen the last byte; the second one answers what the first one made.
        await takeTurns(tx, database.engine, `upload ${id}`);
        const done = doneOf(await rowFor(tx, actor, id));
        if (done) return { ...done, key: null };
        const placed = await recordVersion(tx, deps, actor, to, blob);
        await tx.updateTable("uploads").set({ file_id: placed.fileId, version: placed.version }).where("id", "=", id).execute();
        return placed;
      }),
    );
  }

  return {
    underWay,

    /** Where a finished one is by now; null where it is deleted, or nothing of the actor's any more. */
    async landed(actor: Actor, { fileId }: Uploaded): Promise<{ name: string; folder_id: number; folder_name: string } | null> {
      const file = await visibleFiles(database.read, actor)
        .innerJoin("files as folder", "folder.id", "files.parent_id")
        .select(["files.name", "folder.id as folder_id", "folder.name as folder_name"])
        .where("files.id", "=", fileId)
        .executeTakeFirst();
      return file ?? null;
    },

    /** Throws a 413 in words where a file of this size is not taken at all. */
    demandSize: (size: number): void => demandSize(deps, size),

    async begin(actor: Actor, id: string, to: Destination, size: number): Promise<void> {
      demandSize(deps, size);
      await database.write(async (tx) => {
        await demandDestination(tx, actor, to);
        await takeRoom(deps, tx, actor.organisationId, size + (await bytesUnderWay(tx, actor.organisationId)));
        const { open } = await tx
          .selectFrom("uploads")
          .select(({ fn }) => fn.countAll<number | string>().as("open"))
          .where("account_id", "=", actor.accountId)
          .where("file_id", "is", null)
          .executeTakeFirstOrThrow();
        if (Number(open) >= MAX_UNDER_WAY) throw conflict(`You have ${MAX_UNDER_WAY} uploads under way. Finish or cancel some of them first.`);
        await tx
          .insertInto("uploads")
          .values({ id, account_id: actor.accountId, destination: JSON.stringify(to), size, created_at: clock.now() })
          .execute();
      });
    },

    /** Turns the finished part at `path` into a file, once: asked again it answers what became of it. */
    async finish(actor: Actor, id: string, path: string): Promise<Uploaded> {
      const { done } = await underWay(actor, id);
      if (done) return done;
      try {
        return await take(actor, id, path);
      } catch (error) {
        // A twin may have finished it and cleared the part away in the meantime.
        const made = (await underWay(actor, id)).done;
        if (made) return made;
        throw error;
      }
    },

    /** Forgets an upload that was given up. */
    async forget(id: string): Promise<void> {
      await database.write((tx) => tx.deleteFrom("uploads").where("id", "=", id).where("file_id", "is", null).execute());
    },

    /** Forgets what is too old; `removePart` clears its bytes away first. Answers how many there were. */
    async expire(removePart: (id: string) => Promise<void>): Promise<number> {
      const rows = await database.read
        .selectFrom("uploads")
        .select("id")
        .where("created_at", "<=", clock.now() - RESUMABLE_MS)
        .execute();
      for (const { id } of rows) {
        await removePart(id);
        await database.write((tx) => tx.deleteFrom("uploads").where("id", "=", id).execute());
      }
      return rows.length;
    },
  };
}
