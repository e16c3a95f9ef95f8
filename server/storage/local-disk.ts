/** Blobs on the local disk: random names, written aside, fsynced, renamed. Half-written files are never visible. */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, link, mkdir, mkdtemp, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault, notFound } from "../lib/faults.ts";
import type { Storage, StoredBlob } from "./storage.ts";

const KEY = /^[0-9a-f]{32}$/;

/** Counts and hashes what flows through; refuses to let more through than allowed. */
function meter(limits: { maxBytes: number; expectedBytes?: number | undefined }) {
  const hash = createHash("sha256");
  let size = 0;
  const most = limits.expectedBytes ?? limits.maxBytes;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limits.maxBytes) return done(new Fault(413, `The file is larger than the ${limits.maxBytes.toLocaleString("en")} bytes that are allowed.`));
      if (size > most) return done(new Fault(400, `The upload is longer than the ${most.toLocaleString("en")} bytes it declared.`));
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (limits.expectedBytes === undefined || size === limits.expectedBytes) return done();
      done(new Fault(400, `The upload ended after ${size.toLocaleString("en")} of ${limits.expectedBytes.toLocaleString("en")} bytes.`));
    },
  });
  return { stream, result: () => ({ size, sha256: hash.digest("hex") }) };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  // Windows cannot sync folders; there the rename itself is durable enough.
  await handle.sync().catch(() => {});
  await handle.close();
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Whose bytes end up at another name: a link costs nothing; where there are none (another disk) a copy does. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async () => {
    await copyFile(from, to);
    const copy = await open(to, "r+");
    await copy.sync();
    await copy.close();
  });
}

/** When anything in it was last written to: a folder's own time says nothing about files that grow in it. */
async function lastWritten(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) return found?.mtimeMs ?? null;
  const inside = await Promise.all((await readdir(path).catch(() => [])).map((name) => lastWritten(join(path, name))));
  return Math.max(found.mtimeMs, ...inside.filter((time) => time !== null));
}

export function openLocalDisk(folder: string): Storage {
  const blobs = join(folder, "blobs");
  const incoming = join(folder, "incoming");
  const working = join(folder, "work");
  const prepare = () => Promise.all([blobs, incoming, working].map((one) => mkdir(one, { recursive: true, mode: 0o700 })));
  let prepared: Promise<unknown> | undefined;
  // Where it fails (no room, no permission) the next request tries again.
  const ready = () =>
    (prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    }));

  function pathOf(key: string): string {
    if (!KEY.test(key)) throw notFound("file");
    return join(blobs, key.slice(0, 2), key);
  }

  /** Gives a whole, synced file its name for good. */
  async function place(whole: string, found: { size: number; sha256: string }, move: (from: string, to: string) => Promise<void>): Promise<StoredBlob> {
    const key = randomBytes(16).toString("hex");
    const path = pathOf(key);
    const shelf = join(blobs, key.slice(0, 2));
    const made = await mkdir(shelf, { recursive: true, mode: 0o700 });
    try {
      await move(whole, path);
      await syncFolder(shelf);
      if (made !== undefined) await syncFolder(blobs);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { key, ...found };
  }

  return {
    async put(source, limits) {
      await ready();
      const temporary = join(incoming, randomBytes(16).toString("hex"));
      const { stream, result } = meter(limits);
      try {
        await pipeline(source, stream, createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }));
        return await place(temporary, result(), rename);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async adopt(path, expectedBytes) {
      await ready();
      const { stream, result } = meter({ maxBytes: Number.POSITIVE_INFINITY, expectedBytes });
      await pipeline(createReadStream(path), stream, async (chunks: AsyncIterable<Buffer>) => {
        for await (const _ of chunks);
      });
      const handle = await open(path, "r+");
      await handle.sync();
      await handle.close();
      return place(path, result(), linkOrCopy);
    },
    async open(key, range): Promise<Readable> {
      const handle = await open(pathOf(key), "r").catch((error: unknown) => {
        throw isAbsent(error) ? notFound("file") : error;
      });
      return handle.createReadStream(range ? { start: range.start, end: range.end } : {});
    },
    async size(key) {
      return stat(pathOf(key)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (isAbsent(error)) return null;
          throw error;
        },
      );
    },
    withLocalFile: (key, work) => work(pathOf(key)),
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async withFolder(work) {
      await ready();
      const own = await mkdtemp(join(working, "job-"));
      try {
        return await work(own);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
    async *list() {
      await ready();
      for await (const shelf of await opendir(blobs)) {
        if (!shelf.isDirectory()) continue;
        for await (const { name } of await opendir(join(blobs, shelf.name))) {
          const found = KEY.test(name) ? await stat(pathOf(name)).catch(() => null) : null;
          if (found) yield { key: name, size: found.size, storedAt: found.mtimeMs };
        }
      }
    },
    async clean(untouchedMs) {
      await ready();
      let gone = 0;
      for (const aside of [incoming, working]) {
        for await (const { name } of await opendir(aside)) {
          const path = join(aside, name);
          const written = await lastWritten(path);
          if (written === null || written > Date.now() - untouchedMs) continue;
          await rm(path, { recursive: true, force: true });
          gone += 1;
        }
      }
      return gone;
    },
  };
}
