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
  /** It was a message already that was taken back: what that has uploaded is not its upload. */
  takenBack?: boolean;
}

export interface Shelf {
  /** Rejects where the browser has no room or keeps nothing. */
  keep(note: Note, chunk: { index: number; bytes: Blob } | null): Promise<void>;
  /** Everything that was recorded for this service, by whomever. */
  notes(service: string): Promise<Note[]>;
  /** One of them with its bytes, as far as they are there without a gap. */
  read(id: string): Promise<{ note: Note; bytes: Blob } | null>;
  remove(id: string): Promise<void>;
  /** The way to let go of a recording; null where another tab has it. With a signal it waits for that tab, null once that is given up. */
  hold(id: string, signal?: AbortSignal): Promise<(() => void) | null>;
}

const NOTES = "notes";
const CHUNKS = "chunks";
/** Chunks of one recording stand together and in order. */
const keyOf = (id: string, index: number) => `${id}:${String(index).padStart(6, "0")}`;
const ofRecording = (id: string) => IDBKeyRange.bound(`${id}:`, `${id};`);

/** How many chunks stand together from the first one on: behind a gap nothing can be decoded. */
export function unbroken(id: string, keys: readonly IDBValidKey[]): number {
  const gap = keys.findIndex((key, index) => key !== keyOf(id, index));
  return gap < 0 ? keys.length : gap;
}

export function createShelf(): Shelf {
  const database = createDatabase("talkback.recordings", (fresh) => {
    fresh.createObjectStore(NOTES, { keyPath: "id" });
    fresh.createObjectStore(CHUNKS);
  });
  const ask = <T>(store: string, question: (records: IDBObjectStore) => IDBRequest<T>) =>
    database.transact<T>(store, (records, answer) => {
      const request = question(records);
      request.onsuccess = () => answer(request.result);
    });
  return {
    async keep(note, chunk) {
      if (chunk) await database.transact(CHUNKS, (store) => void store.put(chunk.bytes, keyOf(note.id, chunk.index)));
      await database.transact(NOTES, (store) => void store.put(note));
    },
    notes: async (service) => ((await ask<Note[]>(NOTES, (records) => records.getAll())) ?? []).filter((note) => note.service === service),
    async read(id) {
      const note = await ask<Note | undefined>(NOTES, (records) => records.get(id));
      if (!note) return null;
      const keys = (await ask<IDBValidKey[]>(CHUNKS, (records) => records.getAllKeys(ofRecording(id)))) ?? [];
      const chunks = (await ask<Blob[]>(CHUNKS, (records) => records.getAll(ofRecording(id)))) ?? [];
      return { note, bytes: new Blob(chunks.slice(0, unbroken(id, keys)), { type: note.type }) };
    },
    async remove(id) {
      await database.transact(NOTES, (store) => void store.delete(id));
      await database.transact(CHUNKS, (store) => void store.delete(ofRecording(id)));
    },
    hold: (id, signal) =>
      new Promise((resolve) => {
        // Where pages may use the microphone they have locks.
        const request = navigator.locks.request(`talkback.recording.${id}`, signal ? { signal } : { ifAvailable: true }, (lock) => {
          if (!lock) return resolve(null);
          const held = Promise.withResolvers<void>();
          resolve(held.resolve);
          return held.promise;
        });
        request.catch(() => resolve(null));
      }),
  };
}
