/** Blobs on the local disk: random names, written aside, fsynced, renamed. Half-written files are never visible. */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, link, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
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

export function openLocalDisk(folder: string): Storage {
  const blobs = join(folder, "blobs");
  const incoming = join(folder, "incoming");
  const ready = Promise.all([mkdir(blobs, { recursive: true, mode: 0o700 }), rm(incoming, { recursive: true, force: true }).then(() => mkdir(incoming, { recursive: true, mode: 0o700 }))]);

  function pathOf(key: string): string {
    if (!KEY.test(key)) throw notFound("file");
    return join(blobs, key.slice(0, 2), key);
  }

  async function place(temporary: string, found: { size: number; sha256: string }, move: (from: string, to: string) => Promise<void> = rename): Promise<StoredBlob> {
    const key = randomBytes(16).toString("hex");
    const path = pathOf(key);
    const parent = join(blobs, key.slice(0, 2));
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await move(temporary, path);
    await syncFolder(parent);
    return { key, ...found };
  }

  return {
    async put(source, limits) {
      await ready;
      const temporary = join(incoming, randomBytes(16).toString("hex"));
      const { stream, result } = meter(limits);
      try {
        await pipeline(source, stream, createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }));
        return await place(temporary, result());
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async adopt(path) {
      await ready;
      const { stream, result } = meter({ maxBytes: Number.POSITIVE_INFINITY });
      await pipeline(createReadStream(path), stream, async (chunks: AsyncIterable<Buffer>) => {
        for await (const _ of chunks);
      });
      const handle = await open(path, "r+");
      await handle.sync();
      await handle.close();
      // A link costs nothing; where there are none (another disk) a copy does.
      return place(path, result(), (from, to) => link(from, to).catch(() => copyFile(from, to)));
    },
    async open(key, range): Promise<Readable> {
      const path = pathOf(key);
      const handle = await open(path, "r").catch(() => {
        throw notFound("file");
      });
      return handle.createReadStream(range ? { start: range.start, end: range.end } : {});
    },
    async size(key) {
      return stat(pathOf(key)).then(
        ({ size }) => size,
        () => null,
      );
    },
    withLocalFile: (key, work) => work(pathOf(key)),
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async *keys() {
      await ready;
      for await (const shelf of await opendir(blobs)) {
        if (!shelf.isDirectory()) continue;
        for await (const entry of await opendir(join(blobs, shelf.name))) if (KEY.test(entry.name)) yield entry.name;
      }
    },
  };
}
