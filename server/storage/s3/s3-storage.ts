/** Stores blobs as objects of an S3-compatible store. Parts on their way, and copies for the decoder, are on the local disk for as long as they are needed. */
import { createWriteStream } from "node:fs";
import { constants, open, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { notFound } from "../../lib/errors.ts";
import { diskFull } from "../disk-reserve.ts";
import { createMeter } from "../meter.ts";
import { type ByteRange, KEY, newKey, type Storage } from "../storage.ts";
import { BUCKET_TIMING, type BucketOptions, type BucketTiming, connectBucket } from "./bucket.ts";
import { checkBucket } from "./check-bucket.ts";
import { openPartSender, partBytesFor } from "./part-sender.ts";
import { readObject } from "./read-object.ts";
import { createResumableParts } from "./resumable.ts";

export interface S3StorageOptions extends BucketOptions {
  /** What all object keys begin with: "" or a path that ends with "/". */
  prefix: string;
  signedUrls: boolean;
  /** Replaces some of the timing (tests). */
  timing?: Partial<BucketTiming>;
  /** Replaces the size of parts, in bytes (tests). */
  partBytes?: number;
  /** Replaces how old a multipart upload must be to be aborted, in milliseconds (tests). */
  staleMs?: number;
}

/** Longer than an upload may take: resumable ones end after three days. */
const STALE_MS = 4 * 24 * 3_600_000;
const TOUCH_MS = 5 * 60_000;
/** How much of both ends of a long file a sketch has. */
const SKETCH_BYTES = 4 * 1_024 * 1_024;

/** `local`: storage on the local disk, of which the folders for temporary files and the reserve of free space are used. */
export function createS3Storage(options: S3StorageOptions, local: Storage): Storage {
  const { prefix, partBytes, signedUrls, staleMs = STALE_MS } = options;
  const timing = { ...BUCKET_TIMING, ...options.timing };
  const bucket = connectBucket(options, timing);
  const [blobs, uploads] = [`${prefix}blobs/`, `${prefix}uploads/`];

  function objectOf(key: string): string {
    if (!KEY.test(key)) throw notFound("file");
    return `${blobs}${key}`;
  }

  async function openBlob(key: string, range?: ByteRange): Promise<Readable> {
    const stream = await readObject(bucket, objectOf(key), range, timing);
    if (!stream) throw notFound("file");
    return stream;
  }

  const put: Storage["put"] = (source, limits) =>
    local.withTemporaryFolder(async (folder) => {
      const { stream: meter, result } = createMeter(limits);
      const key = limits.key ?? newKey();
      const object = objectOf(key);
      const etags: string[] = [];
      let multipartId: string | null = null;
      const sender = await openPartSender(folder, partBytesFor(limits.expectedBytes ?? limits.maxBytes, partBytes), async (payload) => {
        multipartId ??= await bucket.startMultipart(object);
        etags.push(await bucket.putPart(object, multipartId, etags.length + 1, payload));
      });
      try {
        await pipeline(local.admit(source), meter, async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) await sender.write(chunk);
        });
        const rest = await sender.end();
        const digest = result();
        if (multipartId === null) await bucket.put(object, rest);
        else {
          if (rest.size > 0) etags.push(await bucket.putPart(object, multipartId, etags.length + 1, rest));
          await bucket.finishMultipart(object, multipartId, etags, digest.size);
        }
        return { key, ...digest };
      } catch (error) {
        await sender.end().catch(() => {});
        // What cannot be removed now is an orphan, or aborted by `removeStale`.
        if (multipartId !== null) await bucket.abortMultipart(object, multipartId).catch(() => {});
        await bucket.remove(object).catch(() => {});
        throw error;
      } finally {
        await sender.close();
      }
    });

  /** Downloads the bytes of a blob to a position in a local file. */
  const download = async (key: string, path: string, { start, end }: ByteRange): Promise<unknown> =>
    pipeline(local.admit(await openBlob(key, { start, end })), createWriteStream(path, { flags: "r+", start }));

  async function withCopy<T>(key: string, edgeBytes: number, work: (path: string) => Promise<T>): Promise<T> {
    const size = await bucket.size(objectOf(key));
    if (size === null) throw notFound("file");
    const ranges =
      size <= 2 * edgeBytes
        ? [{ start: 0, end: size - 1 }]
        : [
            { start: 0, end: edgeBytes - 1 },
            { start: size - edgeBytes, end: size - 1 },
          ];
    if (Math.min(size, 2 * edgeBytes) > (await local.availableBytes())) throw diskFull();
    return local.withTemporaryFolder(async (folder) => {
      const path = join(folder, "copy");
      await writeFile(path, "", { flag: "wx", mode: 0o600 });
      await truncate(path, size);
      if (size > 0) for (const range of ranges) await download(key, path, range);
      // Work may take hours, and `removeStale` takes what was not written to for long for a leftover.
      const timer = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), TOUCH_MS).unref();
      try {
        return await work(path);
      } finally {
        clearInterval(timer);
      }
    });
  }

  return {
    put,
    async importFile(path, expectedBytes) {
      // Windows has no such flag.
      await using source = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      if (!(await source.stat()).isFile()) throw new Error(`${path} is not a regular file`);
      return await put(source.createReadStream({ autoClose: false, start: 0 }), { maxBytes: Number.POSITIVE_INFINITY, expectedBytes });
    },
    open: openBlob,
    size: async (key) => bucket.size(objectOf(key)),
    withLocalFile: (key, work) => withCopy(key, Number.POSITIVE_INFINITY, work),
    withLocalSketch: (key, work) => withCopy(key, SKETCH_BYTES, work),
    remove: async (key) => void (await bucket.remove(objectOf(key))),
    withTemporaryFolder: local.withTemporaryFolder,
    admit: local.admit,
    availableBytes: local.availableBytes,
    resumable: createResumableParts({ bucket, local, blobs, uploads, partBytes, readBlob: openBlob }),
    browserOrigin: null,
    signUrl: async (key, headers) => (signedUrls ? bucket.signUrl(objectOf(key), headers) : null),
    check: () => checkBucket(bucket, options, prefix),
    async probe() {
      await local.probe();
      // Nothing is stored there: in a bucket with versions even an object that is deleted at once would remain.
      await bucket.getText(`${prefix}check/probe`);
    },
    async *list() {
      for await (const { key, size, changedAt } of bucket.list(blobs)) if (KEY.test(key)) yield { key, size, storedAt: changedAt };
    },
    async removeStale(idleMs) {
      const limit = Date.now() - Math.max(idleMs, staleMs);
      let count = await local.removeStale(idleMs);
      for await (const { key, uploadId, startedAt } of bucket.listMultiparts(blobs)) {
        if (startedAt > limit) continue;
        await bucket.abortMultipart(key, uploadId);
        count += 1;
      }
      for await (const { key, changedAt } of bucket.list(uploads)) {
        if (changedAt > limit) continue;
        await bucket.remove(`${uploads}${key}`);
        count += 1;
      }
      return count;
    },
  };
}
