/** Stores blobs on the local disk under random names: written to a temporary file, fsynced, renamed. Partial files are never visible. */
import { randomBytes } from "node:crypto";
import { constants, createWriteStream } from "node:fs";
import { access, type FileHandle, link, lstat, mkdir, mkdtemp, open, opendir, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { notFound } from "../lib/errors.ts";
import { syncFolder } from "../lib/sync-folder.ts";
import { createDiskReserve, type DiskSpace } from "./disk-reserve.ts";
import { createMeter } from "./meter.ts";
import { KEY, newKey, type Storage, type StoredBlob } from "./storage.ts";

const isNotFoundError = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/**
 * Links the open file under another name, which costs nothing, or copies it where links are impossible (another disk) or where another process has put
 * another file, or a link to one, in its place meanwhile.
 */
async function linkOrCopy(source: FileHandle, path: string, to: string): Promise<void> {
  const { dev, ino } = await source.stat({ bigint: true });
  const linked = await link(path, to)
    .then(() => lstat(to, { bigint: true }))
    .catch(() => null);
  if (linked?.dev === dev && linked.ino === ino) return;
  await rm(to, { force: true });
  await pipeline(source.createReadStream({ autoClose: false, start: 0 }), createWriteStream(to, { flags: "wx", mode: 0o600, flush: true }));
}

/** Reads the whole file; throws a 400 if it has another size. */
async function readDigest(source: FileHandle, expectedBytes: number): Promise<{ size: number; sha256: string }> {
  const { stream, result } = createMeter({ maxBytes: Number.POSITIVE_INFINITY, expectedBytes });
  await pipeline(source.createReadStream({ autoClose: false, start: 0 }), stream, async (chunks: AsyncIterable<Buffer>) => {
    for await (const _ of chunks);
  });
  return result();
}

/** Returns the latest write time at or below a path: a folder's own time does not change when files in it grow. */
async function lastWrittenAt(path: string): Promise<number | null> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? null;
  const nestedTimes = await Promise.all((await readdir(path).catch(() => [])).map((name) => lastWrittenAt(join(path, name))));
  return Math.max(stats.mtimeMs, ...nestedTimes.filter((time) => time !== null));
}

export interface LocalDiskOptions {
  /** Disk space to keep free, in bytes; 0: none, null: a default that depends on the disk. */
  reserveBytes?: number | null;
  /** Replaces the look at the disk (tests). */
  readDiskSpace?: ((folder: string) => Promise<DiskSpace>) | undefined;
}

async function readSpaceOfDisk(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

export function openLocalDisk(folder: string, { reserveBytes = 0, readDiskSpace = readSpaceOfDisk }: LocalDiskOptions = {}): Storage {
  const blobs = join(folder, "blobs");
  const incoming = join(folder, "incoming");
  const workFolder = join(folder, "work");
  const createFolders = () => Promise.all([blobs, incoming, workFolder].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  let foldersReady: Promise<unknown> | undefined;
  // After a failure (no space, no permission) the next request retries.
  const ensureFolders = () =>
    (foldersReady ??= createFolders().catch((error: unknown) => {
      foldersReady = undefined;
      throw error;
    }));

  const reserve = createDiskReserve(async () => {
    await ensureFolders();
    return readDiskSpace(folder);
  }, reserveBytes);

  function pathOf(key: string): string {
    if (!KEY.test(key)) throw notFound("file");
    return join(blobs, key.slice(0, 2), key);
  }

  /** Gives a complete, synced file its permanent key. */
  async function publishBlob(digest: { size: number; sha256: string }, move: (to: string) => Promise<void>, key = newKey()): Promise<StoredBlob> {
    const path = pathOf(key);
    const shardPath = join(blobs, key.slice(0, 2));
    const createdPath = await mkdir(shardPath, { recursive: true, mode: 0o700 });
    try {
      await move(path);
      await syncFolder(shardPath);
      if (createdPath !== undefined) await syncFolder(blobs);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { key, ...digest };
  }

  return {
    async put(source, limits) {
      await ensureFolders();
      const temporaryPath = join(incoming, randomBytes(16).toString("hex"));
      const { stream, result } = createMeter(limits);
      try {
        await pipeline(reserve.admit(source, limits.expectedBytes), stream, createWriteStream(temporaryPath, { flags: "wx", mode: 0o600, flush: true }));
        return await publishBlob(result(), (to) => rename(temporaryPath, to), limits.key);
      } catch (error) {
        await rm(temporaryPath, { force: true });
        throw error;
      }
    },
    async importFile(path, expectedBytes, findSha256) {
      await ensureFolders();
      // Windows has no such flag.
      const source = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
      try {
        const stats = await source.stat({ bigint: true });
        if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
        const sha256 = stats.size === BigInt(expectedBytes) ? findSha256?.(stats) : null;
        const digest = sha256 ? { size: expectedBytes, sha256 } : await readDigest(source, expectedBytes);
        await source.sync();
        return await publishBlob(digest, (to) => linkOrCopy(source, path, to));
      } finally {
        await source.close();
      }
    },
    async open(key, range): Promise<Readable> {
      const handle = await open(pathOf(key), "r").catch((error: unknown) => {
        throw isNotFoundError(error) ? notFound("file") : error;
      });
      return handle.createReadStream(range ? { start: range.start, end: range.end } : {});
    },
    async size(key) {
      return stat(pathOf(key)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (isNotFoundError(error)) return null;
          throw error;
        },
      );
    },
    withLocalFile: (key, work) => work(pathOf(key)),
    withLocalSketch: (key, work) => work(pathOf(key)),
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async withTemporaryFolder(work) {
      await ensureFolders();
      const jobFolder = await mkdtemp(join(workFolder, "job-"));
      try {
        return await work(jobFolder);
      } finally {
        await rm(jobFolder, { recursive: true, force: true });
      }
    },
    async *list() {
      await ensureFolders();
      for await (const shard of await opendir(blobs)) {
        if (!shard.isDirectory()) continue;
        for await (const { name } of await opendir(join(blobs, shard.name))) {
          const stats = KEY.test(name) ? await stat(pathOf(name)).catch(() => null) : null;
          if (stats) yield { key: name, size: stats.size, storedAt: stats.mtimeMs };
        }
      }
    },
    admit: (source) => reserve.admit(source),
    availableBytes: reserve.availableBytes,
    resumable: null,
    browserOrigin: null,
    signUrl: async () => null,
    async check() {
      await ensureFolders();
    },
    async probe() {
      await ensureFolders();
      await Promise.all([blobs, incoming, workFolder].map((path) => access(path, constants.R_OK | constants.W_OK | constants.X_OK)));
    },
    async removeStale(idleMs) {
      await ensureFolders();
      let removedCount = 0;
      for (const directory of [incoming, workFolder]) {
        for await (const { name } of await opendir(directory)) {
          const path = join(directory, name);
          const writtenAt = await lastWrittenAt(path);
          if (writtenAt === null || writtenAt > Date.now() - idleMs) continue;
          await rm(path, { recursive: true, force: true });
          removedCount += 1;
        }
      }
      return removedCount;
    },
  };
}
