/** Copies the files that a database names into the store, each once. */
import type { Db } from "../../db/schema.ts";
import { HttpError } from "../../lib/errors.ts";
import type { RecordedKey, Storage } from "../../storage/storage.ts";
import type { BackupStore, StoredObject } from "./backup-store.ts";
import { inParallel, inGroups } from "./parallel.ts";
import type { FileRow, MissingFile } from "./snapshot.ts";

const KEYS_PER_QUERY = 500;
const COPIES_AT_ONCE = 4;

/** Reading failed; other errors of a copy are those of the store. */
class SourceError extends Error {}

export interface FileCopiesOptions {
  storage: Storage;
  store: BackupStore;
  /** Lists all keys that a database names. */
  recordedKeys: (db: Db) => AsyncIterable<RecordedKey>;
  /** What earlier backups know of keys; a key always has the same bytes. */
  earlier: ReadonlyMap<string, StoredObject>;
  onCopied(size: number): void;
}

/** What is known about the files that a view of the database names. */
export interface NamedFiles {
  files: FileRow[];
  missing: MissingFile[];
  /** Number of files that this run had not looked at before. */
  newCount: number;
}

export function createFileCopies({ storage, store, recordedKeys, earlier, onCopied }: FileCopiesOptions) {
  /** Files that this run has found or put in the store. */
  const stored = new Map<string, StoredObject>();

  async function* read(key: string): AsyncGenerator<Uint8Array> {
    try {
      yield* (await storage.open(key)) as AsyncIterable<Buffer>;
    } catch (error) {
      // A storage that is out of reach ends the backup; it would otherwise lack every file.
      if (error instanceof HttpError && error.status >= 500) throw error;
      throw new SourceError(error instanceof HttpError && error.status === 404 ? "is not stored" : `cannot be read: ${(error as Error).message}`);
    }
  }

  /** Returns why the file cannot be copied, or null. `expected`: null if nothing is known about the bytes. */
  async function copy(key: string, expected: StoredObject | null): Promise<string | null> {
    if (expected && (await store.has(expected))) {
      stored.set(key, expected);
      return null;
    }
    try {
      const object = await store.writeObject(read(key));
      if (expected && object.sha256 !== expected.sha256) return "has other bytes than when it was uploaded";
      stored.set(key, object);
      onCopied(object.size);
      return null;
    } catch (error) {
      if (error instanceof SourceError) return error.message;
      throw error;
    }
  }

  async function loadDigests(db: Db, keys: readonly string[]): Promise<Map<string, StoredObject>> {
    const rows = await db.selectFrom("blobs").select(["key", "sha256", "size"]).where("key", "in", keys).execute();
    return new Map(rows.map(({ key, sha256, size }) => [key, { sha256, size }]));
  }

  return {
    /** Copies all files that the database names now, unless they are in the store. */
    async copyAll(db: Db): Promise<NamedFiles> {
      const named: NamedFiles = { files: [], missing: [], newCount: 0 };
      const seen = new Set<string>();
      for await (const group of inGroups(recordedKeys(db), KEYS_PER_QUERY)) {
        // Versions may share bytes.
        const entries = group.filter(({ key }) => !seen.has(key) && seen.add(key));
        const unknown = entries.filter(({ key }) => !stored.has(key));
        named.newCount += unknown.length;
        const digests =
          unknown.length === 0
            ? new Map<string, StoredObject>()
            : await loadDigests(
                db,
                unknown.map(({ key }) => key),
              );
        const reasons = new Map<string, string>();
        await inParallel(unknown, COPIES_AT_ONCE, async ({ key }) => {
          const reason = await copy(key, digests.get(key) ?? earlier.get(key) ?? null);
          if (reason !== null) reasons.set(key, reason);
        });
        for (const { key, description } of entries) {
          const object = stored.get(key);
          if (object) named.files.push([key, object.sha256, object.size]);
          else named.missing.push({ key, description, reason: reasons.get(key) ?? "" });
        }
      }
      named.files.sort(([a], [b]) => (a < b ? -1 : 1));
      return named;
    },
  };
}
