/**
 * The folder of the backups. `objects` has files and chunks of rows under the SHA-256 of their bytes, which all snapshots share; `snapshots` has a JSON
 * document per run, whose name contains its own SHA-256. Everything is written under another name, synced and renamed, so that an interrupted run leaves
 * nothing that a later one could take for complete.
 */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { acquireServingLock } from "../../db/serving-lock.ts";
import { syncFolder } from "../../lib/sync-folder.ts";
import { createMeter } from "../../storage/meter.ts";
import { CommandError } from "../command.ts";
import type { Snapshot } from "./snapshot.ts";

export interface StoredObject {
  /** Hex. */
  sha256: string;
  size: number;
}

const FORMAT_FILE = "talkback-backup.json";
const FORMAT = { format: 1, about: "Backups of Talkback. Restore with: npm run admin -- restore FOLDER" };
const SNAPSHOT_NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-([0-9a-f]{16}))\.json$/;
const OBJECT_NAME = /^[0-9a-f]{64}$/;

const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";
const orNull = (error: unknown): null => {
  if (isAbsent(error)) return null;
  throw error;
};

export type BackupStore = ReturnType<typeof openBackupStore>;

export function openBackupStore(folder: string) {
  const objects = join(folder, "objects");
  const snapshots = join(folder, "snapshots");
  const incoming = join(folder, "incoming");
  const damaged = join(folder, "damaged");
  const pathOf = (sha256: string): string => join(objects, sha256.slice(0, 2), sha256);

  async function writeObject(source: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const temporaryPath = join(incoming, randomBytes(16).toString("hex"));
    const { stream, result } = createMeter({ maxBytes: Number.POSITIVE_INFINITY });
    try {
      await pipeline(source, stream, createWriteStream(temporaryPath, { flags: "wx", mode: 0o600, flush: true }));
      const object = result();
      await mkdir(join(objects, object.sha256.slice(0, 2)), { recursive: true, mode: 0o700 });
      await rename(temporaryPath, pathOf(object.sha256));
      return object;
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
  }

  /** Makes the names of all objects durable, also of those that an interrupted run has written, before a snapshot relies on them. */
  async function syncFolders(): Promise<void> {
    for (const shard of await readdir(objects)) await syncFolder(join(objects, shard));
    await syncFolder(objects);
  }

  return {
    folder,

    /** Prepares the folder for writing, and returns a function that lets the next backup begin. Throws for a folder with something else in it. */
    async lock(): Promise<() => void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = await readdir(folder);
      if (names.length > 0 && !names.includes(FORMAT_FILE) && names.some((name) => !name.startsWith("serving.lock")))
        throw new CommandError(`${folder} has other things in it than backups of Talkback. Choose an empty folder.`);
      const release = acquireServingLock(folder);
      if (!release) throw new CommandError(`Another backup into ${folder} is under way. Nothing was done.`);
      try {
        if (!names.includes(FORMAT_FILE)) await writeFile(join(folder, FORMAT_FILE), `${JSON.stringify(FORMAT)}\n`, { mode: 0o600, flush: true });
        // What an interrupted run has left; nobody else writes here.
        await rm(incoming, { recursive: true, force: true });
        for (const path of [objects, snapshots, incoming]) await mkdir(path, { recursive: true, mode: 0o700 });
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },

    /** Whether an object is there in its full size. Whether its content is whole shows when it is read. */
    has: async ({ sha256, size }: StoredObject): Promise<boolean> => (await stat(pathOf(sha256)).catch(orNull))?.size === size,

    writeObject,

    /** Stores bytes unless they are there already, and returns their SHA-256. */
    async writeBytes(bytes: Buffer): Promise<StoredObject & { isNew: boolean }> {
      const object = { sha256: sha256Of(bytes), size: bytes.length };
      if ((await stat(pathOf(object.sha256)).catch(orNull))?.size === object.size) return { ...object, isNew: false };
      await writeObject(
        (async function* () {
          yield bytes;
        })(),
      );
      return { ...object, isNew: true };
    },

    /** Reads a small object and checks it. */
    async readBytes(sha256: string): Promise<Buffer> {
      const bytes = await readFile(pathOf(sha256)).catch(orNull);
      if (bytes === null) throw new CommandError(`The backup is damaged: ${pathOf(sha256)} is missing.`);
      if (sha256Of(bytes) !== sha256) throw new CommandError(`The backup is damaged: the content of ${pathOf(sha256)} has changed.`);
      return bytes;
    },

    /** The caller checks what it reads. Throws ENOENT while it is read if there is no such object. */
    openObject: (sha256: string) => createReadStream(pathOf(sha256), { highWaterMark: 1 << 18 }),

    pathOf,

    /** Reads an object, and returns what is wrong with it, or null. */
    async findProblem({ sha256, size }: { sha256: string; size: number | null }): Promise<string | null> {
      const hash = createHash("sha256");
      let actual = 0;
      try {
        for await (const chunk of createReadStream(pathOf(sha256), { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
          hash.update(chunk);
          actual += chunk.length;
        }
      } catch (error) {
        return isAbsent(error) ? "is missing" : `cannot be read: ${(error as Error).message}`;
      }
      if (size !== null && actual !== size) return `has ${actual} bytes instead of ${size}`;
      return hash.digest("hex") === sha256 ? null : "has another content than when it was stored";
    },

    /** Moves an object to the folder `damaged`, so that the next backup writes it again. The caller holds the lock. */
    async setAside(sha256: string): Promise<void> {
      await mkdir(damaged, { recursive: true, mode: 0o700 });
      await rename(pathOf(sha256), join(damaged, sha256)).catch(orNull);
    },

    damagedFolder: damaged,

    /** Returns the ids of all snapshots, oldest first. */
    async listSnapshots(): Promise<string[]> {
      const names = await readdir(snapshots).catch(orNull);
      if (names === null) throw new CommandError(`${folder} has no backups of Talkback.`);
      return names.flatMap((name) => SNAPSHOT_NAME.exec(name)?.[1] ?? []).toSorted();
    },

    async readSnapshot(id: string): Promise<Snapshot> {
      const text = await readFile(join(snapshots, `${id}.json`), "utf8");
      if (sha256Of(text).slice(0, 16) !== SNAPSHOT_NAME.exec(`${id}.json`)?.[2])
        throw new CommandError(`The backup is damaged: the content of ${join(snapshots, `${id}.json`)} has changed.`);
      const snapshot = JSON.parse(text) as Snapshot;
      if (snapshot.format !== FORMAT.format)
        throw new CommandError(`The backup ${id} was made by a newer version of Talkback (${snapshot.madeBy}). Use that version.`);
      return snapshot;
    },

    /** Stores a snapshot, after everything that it names, and returns its id. */
    async writeSnapshot(snapshot: Snapshot): Promise<string> {
      const text = `${JSON.stringify(snapshot, null, 1)}\n`;
      const id = `${snapshot.createdAt.replaceAll(":", "-")}-${sha256Of(text).slice(0, 16)}`;
      await syncFolders();
      const temporaryPath = join(incoming, `${id}.json`);
      await writeFile(temporaryPath, text, { mode: 0o600, flush: true });
      await rename(temporaryPath, join(snapshots, `${id}.json`));
      await syncFolder(snapshots);
      return id;
    },

    removeSnapshot: (id: string): Promise<void> => rm(join(snapshots, `${id}.json`), { force: true }),

    async *listObjects(): AsyncGenerator<StoredObject> {
      for await (const shard of await opendir(objects))
        if (shard.isDirectory())
          for await (const { name } of await opendir(join(objects, shard.name)))
            if (OBJECT_NAME.test(name)) yield { sha256: name, size: (await stat(pathOf(name))).size };
    },

    removeObject: (sha256: string): Promise<void> => rm(pathOf(sha256), { force: true }),
  };
}
