/**
 * Uploads that arrive in several requests, at any process: a multipart upload for the full parts, an object for the bytes after them, and an object with
 * the state of both. The state is written after what it names, so that an offset that a client has seen never goes back.
 */
import { createHash, type Hash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { conflict, notFound } from "../../lib/errors.ts";
import { newKey, type ResumableParts, type ResumableState, type Storage, type StoredBlob } from "../storage.ts";
import type { Bucket, Payload } from "./bucket.ts";
import { openPartSender, partBytesFor } from "./part-sender.ts";

interface UploadRecord extends Omit<ResumableState, "offset"> {
  /** Of the blob. */
  key: string;
  multipartId: string;
  partBytes: number;
  /** The ETags of the stored parts, in order. All are full except that the last part of the upload may be shorter. */
  parts: string[];
  tail: { object: string; size: number } | null;
  /** The request that writes. Another one takes over by writing its own id, and the earlier one stops. */
  writer: string;
}

export interface ResumableOptions {
  bucket: Bucket;
  local: Storage;
  /** Prefixes of object keys. */
  blobs: string;
  uploads: string;
  partBytes: number | undefined;
  readBlob(key: string): Promise<Readable>;
}

const MAX_HASHES = 1_000;
const TAKEN_OVER = "Another request is sending this upload. Request its offset with HEAD and continue from there.";

const offsetOf = ({ parts, partBytes, size, tail }: UploadRecord): number => Math.min(size, parts.length * partBytes + (tail?.size ?? 0));

export function createResumableParts({ bucket, local, blobs, uploads, partBytes: defaultPartBytes, readBlob }: ResumableOptions): ResumableParts {
  const stateKey = (id: string) => `${uploads}${id}.json`;
  /** SHA-256 of the uploads whose bytes have all come through this process so far, so that it need not read them again. */
  const hashes = new Map<string, { hash: Hash; offset: number }>();

  async function load(id: string): Promise<UploadRecord | null> {
    const text = await bucket.getText(stateKey(id));
    return text === null ? null : (JSON.parse(text) as UploadRecord);
  }
  const save = (id: string, record: UploadRecord): Promise<unknown> => bucket.putText(stateKey(id), JSON.stringify(record));

  async function loadExisting(id: string): Promise<UploadRecord> {
    const record = await load(id);
    if (!record) throw notFound("upload");
    return record;
  }

  function takeHash(id: string, offset: number): Hash | null {
    const known = hashes.get(id);
    hashes.delete(id);
    if (known?.offset === offset) return known.hash;
    return offset === 0 ? createHash("sha256") : null;
  }
  function rememberHash(id: string, offset: number, hash: Hash): void {
    hashes.set(id, { hash, offset });
    const [oldest] = hashes.keys();
    if (hashes.size > MAX_HASHES && oldest !== undefined) hashes.delete(oldest);
  }

  async function hashBlob(key: string, size: number): Promise<string> {
    const hash = createHash("sha256");
    let read = 0;
    for await (const chunk of (await readBlob(key)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      read += chunk.byteLength;
    }
    if (read !== size) throw new Error(`The blob ${key} has ${read} of ${size} bytes`);
    return hash.digest("hex");
  }

  async function removeState(id: string, record: UploadRecord | null): Promise<void> {
    hashes.delete(id);
    if (record?.tail) await bucket.remove(record.tail.object);
    await bucket.remove(stateKey(id));
  }

  return {
    async create(id, upload) {
      const key = newKey();
      const multipartId = await bucket.startMultipart(`${blobs}${key}`);
      const record: UploadRecord = {
        ...upload,
        key,
        multipartId,
        partBytes: partBytesFor(upload.size, defaultPartBytes),
        parts: [],
        tail: null,
        writer: "",
      };
      await save(id, record).catch(async (error: unknown) => {
        await bucket.abortMultipart(`${blobs}${key}`, multipartId).catch(() => {});
        throw error;
      });
    },

    async find(id) {
      const record = await load(id);
      return record && { size: record.size, metadata: record.metadata, createdAt: record.createdAt, offset: offsetOf(record) };
    },

    async write(id, offset, source, settle = async () => {}) {
      const record = await loadExisting(id);
      if (offsetOf(record) !== offset) throw conflict(TAKEN_OVER);
      record.writer = randomBytes(8).toString("hex");
      await save(id, record);
      const blobObject = `${blobs}${record.key}`;
      const hash = takeHash(id, offset);
      let received = offset;

      /** Records what is stored, unless another request writes meanwhile. */
      const commit = async (change: Pick<UploadRecord, "parts" | "tail">): Promise<void> => {
        if ((await loadExisting(id)).writer !== record.writer) throw conflict(TAKEN_OVER);
        const replaced = record.tail;
        Object.assign(record, change);
        await save(id, record);
        if (replaced && replaced.object !== record.tail?.object) await bucket.remove(replaced.object).catch(() => {});
      };
      const sendPart = async (payload: Payload): Promise<void> => {
        const etag = await bucket.putPart(blobObject, record.multipartId, record.parts.length + 1, payload);
        await commit({ parts: [...record.parts, etag], tail: null });
      };
      const sendTail = async (payload: Payload): Promise<void> => {
        const object = `${uploads}${id}.tail-${record.writer}`;
        await bucket.put(object, payload);
        await commit({ parts: record.parts, tail: { object, size: payload.size } });
      };

      try {
        return await local.withTemporaryFolder(async (folder) => {
          const sender = await openPartSender(folder, record.partBytes, sendPart);
          try {
            if (record.tail) {
              const tail = await bucket.get(record.tail.object);
              if (!tail) throw notFound("upload");
              for await (const chunk of tail.body as AsyncIterable<Buffer>) await sender.write(chunk);
            }
            let failure: { error: unknown } | null = null;
            try {
              for await (const chunk of local.admit(source)) {
                await sender.write(chunk);
                hash?.update(chunk);
                received += chunk.byteLength;
              }
            } catch (error) {
              failure = { error };
            }
            const rest = await sender.end();
            const isPart = received === record.size || rest.size === record.partBytes;
            if (rest.size > 0 && received > offset) await (isPart ? sendPart(rest) : sendTail(rest));
            if (hash) rememberHash(id, received, hash);
            if (failure) throw failure.error;
            return received;
          } finally {
            await sender.close();
          }
        });
      } finally {
        await settle(offsetOf(record));
      }
    },

    async finish(id): Promise<StoredBlob> {
      const { key, multipartId, parts, size } = await loadExisting(id);
      const object = `${blobs}${key}`;
      if (parts.length > 0) await bucket.finishMultipart(object, multipartId, parts, size);
      else {
        // An upload without bytes has no part.
        await bucket.put(object, { size: 0, md5: createHash("md5").digest("base64"), open: () => Readable.from([]) });
        await bucket.abortMultipart(object, multipartId);
      }
      const hash = takeHash(id, size);
      return { key, size, sha256: hash ? hash.digest("hex") : await hashBlob(key, size) };
    },

    forget: async (id) => removeState(id, await load(id)),

    async discard(id) {
      const record = await load(id);
      if (record) {
        await bucket.abortMultipart(`${blobs}${record.key}`, record.multipartId);
        await bucket.remove(`${blobs}${record.key}`);
      }
      await removeState(id, record);
    },
  };
}
