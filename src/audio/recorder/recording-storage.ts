/** Stores recordings in IndexedDB, chunk by chunk as they are made, so that they survive a crashed tab. */
import type { DBSchema } from "idb";
import { createDatabase, renameMembers } from "../../lib/database.ts";
import { acquireLock } from "../../lib/locks.ts";

/** Describes a recording without its bytes. */
export interface RecordingMetadata {
  id: string;
  /** URL of the service that the recording is for. */
  service: string;
  accountId: number;
  projectId: number;
  /** MIME type of the recorder, with codecs. */
  type: string;
  /** Epoch milliseconds. */
  startedAt: number;
  seconds: number;
  wave: readonly number[];
  /** True after it was discarded; it can be restored for a short time. */
  discarded: boolean;
  /** True if the recording was sent as a message and that was undone; the message's upload must not be reused for this draft. */
  isSendUndone?: boolean;
}

interface RecordingSchema extends DBSchema {
  /** Metadata, under the name that existing databases have; another name would hide what they hold. */
  notes: { key: string; value: RecordingMetadata };
  chunks: { key: string; value: Blob };
}

/** Keys keep the chunks of a recording together and in order. */
const chunkKey = (id: string, index: number) => `${id}:${String(index).padStart(6, "0")}`;
const chunkRange = (id: string) => IDBKeyRange.bound(`${id}:`, `${id};`);

/** Returns metadata with today's names, whichever version of this client stored it. */
export const upgradeStoredMetadata = (metadata: RecordingMetadata): RecordingMetadata =>
  renameMembers<RecordingMetadata>(metadata, { takenBack: "isSendUndone" });

/** Counts the chunks up to the first gap, because nothing after a gap can be decoded. */
export function countContiguousChunks(id: string, keys: readonly IDBValidKey[]): number {
  const gap = keys.findIndex((key, index) => key !== chunkKey(id, index));
  return gap < 0 ? keys.length : gap;
}

export type RecordingStorage = Omit<ReturnType<typeof createRecordingStorage>, "close">;

export function createRecordingStorage() {
  const database = createDatabase<RecordingSchema>("talkback.recordings", { notes: { keyPath: "id" }, chunks: {} });
  return {
    /** Rejects if the browser cannot store the data. */
    save: (metadata: RecordingMetadata, chunk: { index: number; bytes: Blob } | null) =>
      database.transact(["notes", "chunks"], "readwrite", async (transaction) => {
        if (chunk) await transaction.objectStore("chunks").put(chunk.bytes, chunkKey(metadata.id, chunk.index));
        await transaction.objectStore("notes").put(metadata);
      }),
    /** Returns all recordings for this service, of every account. */
    async listMetadata(service: string) {
      const all = await database.transact(["notes"], "readonly", (transaction) => transaction.objectStore("notes").getAll());
      return all.map(upgradeStoredMetadata).filter((metadata) => metadata.service === service);
    },
    /** Returns a recording with its bytes up to the first missing chunk. */
    async read(id: string) {
      const [metadata, keys, chunks] = await database.transact(["notes", "chunks"], "readonly", (transaction) =>
        Promise.all([
          transaction.objectStore("notes").get(id),
          transaction.objectStore("chunks").getAllKeys(chunkRange(id)),
          transaction.objectStore("chunks").getAll(chunkRange(id)),
        ]),
      );
      if (!metadata) return null;
      return { metadata: upgradeStoredMetadata(metadata), bytes: new Blob(chunks.slice(0, countContiguousChunks(id, keys)), { type: metadata.type }) };
    },
    remove: (id: string) =>
      database.transact(["notes", "chunks"], "readwrite", async (transaction) => {
        await transaction.objectStore("chunks").delete(chunkRange(id));
        await transaction.objectStore("notes").delete(id);
      }),
    close: database.close,
    // Locks are available wherever a page may use the microphone.
    /** Resolves with a release function, or null if another tab holds the lock. With `signal` it waits for the lock; null once aborted. */
    acquireLock: (id: string, signal?: AbortSignal) => acquireLock(`talkback.recording.${id}`, { signal }),
  };
}
