/** Stores recordings in IndexedDB, chunk by chunk as they are made, so that they survive a crashed tab. */
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

export interface RecordingStorage {
  /** Rejects if the browser cannot store the data. */
  save(metadata: RecordingMetadata, chunk: { index: number; bytes: Blob } | null): Promise<void>;
  /** Returns all recordings for this service, of every account. */
  listMetadata(service: string): Promise<RecordingMetadata[]>;
  /** Returns a recording with its bytes up to the first missing chunk. */
  read(id: string): Promise<{ metadata: RecordingMetadata; bytes: Blob } | null>;
  remove(id: string): Promise<void>;
  /** Resolves with a release function, or null if another tab holds the lock. With `signal` it waits for the lock; null once aborted. */
  acquireLock(id: string, signal?: AbortSignal): Promise<(() => void) | null>;
}

/** The store's name in existing databases; another name would hide what they hold. */
const METADATA_STORE = "notes";
const CHUNK_STORE = "chunks";
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

export function createRecordingStorage(): RecordingStorage {
  const database = createDatabase("talkback.recordings", (db) => {
    db.createObjectStore(METADATA_STORE, { keyPath: "id" });
    db.createObjectStore(CHUNK_STORE);
  });
  const query = <T>(store: string, createRequest: (records: IDBObjectStore) => IDBRequest<T>) =>
    database.transact<T>(store, (records, setResult) => {
      const request = createRequest(records);
      request.onsuccess = () => setResult(request.result);
    });
  return {
    async save(metadata, chunk) {
      if (chunk) await database.transact(CHUNK_STORE, (store) => void store.put(chunk.bytes, chunkKey(metadata.id, chunk.index)));
      await database.transact(METADATA_STORE, (store) => void store.put(metadata));
    },
    async listMetadata(service) {
      const all = (await query<RecordingMetadata[]>(METADATA_STORE, (records) => records.getAll())) ?? [];
      return all.map(upgradeStoredMetadata).filter((metadata) => metadata.service === service);
    },
    async read(id) {
      const metadata = await query<RecordingMetadata | undefined>(METADATA_STORE, (records) => records.get(id));
      if (!metadata) return null;
      const keys = (await query<IDBValidKey[]>(CHUNK_STORE, (records) => records.getAllKeys(chunkRange(id)))) ?? [];
      const chunks = (await query<Blob[]>(CHUNK_STORE, (records) => records.getAll(chunkRange(id)))) ?? [];
      return { metadata: upgradeStoredMetadata(metadata), bytes: new Blob(chunks.slice(0, countContiguousChunks(id, keys)), { type: metadata.type }) };
    },
    async remove(id) {
      // Delete the chunks first: if the page closes in between, only the metadata still identifies them.
      await database.transact(CHUNK_STORE, (store) => void store.delete(chunkRange(id)));
      await database.transact(METADATA_STORE, (store) => void store.delete(id));
    },
    // Locks are available wherever a page may use the microphone.
    acquireLock: (id, signal) => acquireLock(`talkback.recording.${id}`, { signal }),
  };
}
