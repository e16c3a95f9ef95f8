/** Recordings in IndexedDB, chunk by chunk while they are made: what a tab that died had recorded is still there. */
import { createDatabase } from "../../lib/database.ts";

/** What is known of a recording beside its bytes. */
export interface Note {
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
}

export interface Shelf {
  /** Rejects where the browser has no room or keeps nothing. */
  keep(note: Note, chunk: { index: number; bytes: Blob } | null): Promise<void>;
  /** What this account has recorded for this service, with what is there of the bytes. */
  load(service: string, accountId: number): Promise<{ note: Note; bytes: Blob }[]>;
  remove(id: string): Promise<void>;
  /** The way to let go of a recording; null where another tab has it. */
  hold(id: string): Promise<(() => void) | null>;
}

const NOTES = "notes";
const CHUNKS = "chunks";
/** Chunks of one recording stand together and in order. */
const keyOf = (id: string, index: number) => `${id}:${String(index).padStart(6, "0")}`;
const ofRecording = (id: string) => IDBKeyRange.bound(`${id}:`, `${id};`);

export function createShelf(): Shelf {
  const database = createDatabase("talkback.recordings", (fresh) => {
    fresh.createObjectStore(NOTES, { keyPath: "id" });
    fresh.createObjectStore(CHUNKS);
  });
  const all = <T>(store: string, range?: IDBKeyRange) =>
    database.transact<T[]>(store, (records, answer) => {
      const request: IDBRequest<T[]> = records.getAll(range);
      request.onsuccess = () => answer(request.result);
    });
  return {
    async keep(note, chunk) {
      if (chunk) await database.transact(CHUNKS, (store) => void store.put(chunk.bytes, keyOf(note.id, chunk.index)));
      await database.transact(NOTES, (store) => void store.put(note));
    },
    async load(service, accountId) {
      const mine = ((await all<Note>(NOTES)) ?? []).filter((note) => note.service === service && note.accountId === accountId);
      return Promise.all(mine.map(async (note) => ({ note, bytes: new Blob((await all<Blob>(CHUNKS, ofRecording(note.id))) ?? [], { type: note.type }) })));
    },
    async remove(id) {
      await database.transact(NOTES, (store) => void store.delete(id));
      await database.transact(CHUNKS, (store) => void store.delete(ofRecording(id)));
    },
    hold: (id) =>
      new Promise((resolve) => {
        // Where pages may use the microphone they have locks.
        void navigator.locks.request(`talkback.recording.${id}`, { ifAvailable: true }, (lock) => {
          if (!lock) return resolve(null);
          const held = Promise.withResolvers<void>();
          resolve(held.resolve);
          return held.promise;
        });
      }),
  };
}
