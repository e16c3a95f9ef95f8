/** Recordings in IndexedDB, chunk by chunk while they are made: what a tab that died had recorded is still there. */
import { createDatabase } from "../../lib/database.ts";

/** What is known of a recording beside its bytes. */
export interface RecordingMetadata {
  id: string;
  /** The service and the account it is meant for. */
  service: string;
  accountId: number;
  projectId: number;
  /** As the recorder tells it, with codecs. */
  type: string;
  /** Epoch milliseconds. */
  startedAt: number;
  seconds: number;
  wave: readonly number[];
  /** Thrown away; can be brought back for a moment. */
  discarded: boolean;
  /** It was a message already that was taken back: what that has uploaded is not its upload. */
  takenBack?: boolean;
}

export interface RecordingStorage {
  /** Rejects where the browser has no room or keeps nothing. */
  save(metadata: RecordingMetadata, chunk: { index: number; bytes: Blob } | null): Promise<void>;
  /** Everything that was recorded for this service, by whomever. */
  listMetadata(service: string): Promise<RecordingMetadata[]>;
  /** One of them with its bytes, as far as they are there without a gap. */
  read(id: string): Promise<{ metadata: RecordingMetadata; bytes: Blob } | null>;
  remove(id: string): Promise<void>;
  /** The way to let go of a recording; null where another tab has it. With a signal it waits for that tab, null once that is given up. */
  acquireLock(id: string, signal?: AbortSignal): Promise<(() => void) | null>;
}

const METADATA_STORE = "notes";
const CHUNK_STORE = "chunks";
/** Chunks of one recording stand together and in order. */
const chunkKey = (id: string, index: number) => `${id}:${String(index).padStart(6, "0")}`;
const chunkRange = (id: string) => IDBKeyRange.bound(`${id}:`, `${id};`);

/** How many chunks stand together from the first one on: behind a gap nothing can be decoded. */
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
    listMetadata: async (service) =>
      ((await query<RecordingMetadata[]>(METADATA_STORE, (records) => records.getAll())) ?? []).filter((metadata) => metadata.service === service),
    async read(id) {
      const metadata = await query<RecordingMetadata | undefined>(METADATA_STORE, (records) => records.get(id));
      if (!metadata) return null;
      const keys = (await query<IDBValidKey[]>(CHUNK_STORE, (records) => records.getAllKeys(chunkRange(id)))) ?? [];
      const chunks = (await query<Blob[]>(CHUNK_STORE, (records) => records.getAll(chunkRange(id)))) ?? [];
      return { metadata, bytes: new Blob(chunks.slice(0, countContiguousChunks(id, keys)), { type: metadata.type }) };
    },
    async remove(id) {
      await database.transact(METADATA_STORE, (store) => void store.delete(id));
      await database.transact(CHUNK_STORE, (store) => void store.delete(chunkRange(id)));
    },
    acquireLock: (id, signal) =>
      new Promise((resolve) => {
        // Where pages may use the microphone they have locks.
        const request = navigator.locks.request(`talkback.recording.${id}`, signal ? { signal } : { ifAvailable: true }, (lock) => {
          if (!lock) return resolve(null);
          const lockHeld = Promise.withResolvers<void>();
          resolve(lockHeld.resolve);
          return lockHeld.promise;
        });
        request.catch(() => resolve(null));
      }),
  };
}
