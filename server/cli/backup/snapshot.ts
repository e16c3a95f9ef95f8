/** What a backup consists of: a document that names chunks of rows and the list of files, in a form that both engines read. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { deriveKey } from "../../lib/crypto.ts";
import type { TableRow } from "../../db/table-copy.ts";
import type { BackupStore } from "./backup-store.ts";

/** Rows in chunks, each an object of the store: JSON arrays, one a line, gzipped. */
export interface StoredRows {
  rows: number;
  /** Sum of the rows' SHA-256, which does not depend on their order: engines sort texts differently. */
  digest: string;
  chunks: string[];
}

export interface MissingFile {
  key: string;
  description: string;
  reason: string;
}

export interface Snapshot {
  format: number;
  /** Version of Talkback. */
  madeBy: string;
  /** ISO 8601. */
  createdAt: string;
  migrations: { name: string; applied_at: number }[];
  tables: (StoredRows & { name: string; columns: string[] })[];
  /** The last generated id of each table. */
  lastIds: Record<string, number>;
  /** Rows of key, SHA-256 and size. */
  files: StoredRows & { bytes: number };
  /** Files that the database names and that could not be read. */
  missing: MissingFile[];
  masterKey: { fingerprint: string; /** Base64; null: the key is not part of the backup. */ value: string | null };
}

export type FileRow = readonly [key: string, sha256: string, size: number];

/** Tells keys apart without revealing them. */
export const fingerprintOf = (masterKey: Buffer): string => deriveKey(masterKey, "backup fingerprint").toString("hex").slice(0, 16);

const DIGEST_RANGE = 1n << 256n;
/** On average, one of so many rows is the last of its chunk. */
const ROWS_PER_CHUNK = 2_048;
const MAX_CHUNK_LENGTH = 8_000_000;

/** Counts rows and adds up their hashes. */
export function createRowDigest() {
  let rows = 0;
  let sum = 0n;
  return {
    /** Returns the hash of the row's text. */
    add(text: string): Buffer {
      const hash = createHash("sha256").update(text).digest();
      rows += 1;
      sum = (sum + BigInt(`0x${hash.toString("hex")}`)) % DIGEST_RANGE;
      return hash;
    },
    result: () => ({ rows, digest: sum.toString(16) }),
  };
}

/** Stores rows. A row's own hash decides whether a chunk ends with it, so that a change leaves all chunks but those around it as they are. */
export async function writeRows(
  store: BackupStore,
  pages: AsyncIterable<readonly TableRow[]> | Iterable<readonly TableRow[]>,
): Promise<StoredRows & { newBytes: number }> {
  const digest = createRowDigest();
  const chunks: string[] = [];
  let newBytes = 0;
  let lines: string[] = [];
  let length = 0;

  async function endChunk(): Promise<void> {
    const { sha256, size, isNew } = await store.writeBytes(gzipSync(lines.join("")));
    chunks.push(sha256);
    if (isNew) newBytes += size;
    lines = [];
    length = 0;
  }

  for await (const page of pages)
    for (const row of page) {
      const line = `${JSON.stringify(row)}\n`;
      lines.push(line);
      length += line.length;
      if (digest.add(line).readUInt32BE(0) % ROWS_PER_CHUNK === 0 || length > MAX_CHUNK_LENGTH) await endChunk();
    }
  if (lines.length > 0) await endChunk();
  return { ...digest.result(), chunks, newBytes };
}

/** Yields the rows of each chunk. Throws if a chunk is missing or damaged. */
export async function* readStoredRows<R extends TableRow>(store: BackupStore, { chunks }: StoredRows): AsyncGenerator<R[]> {
  for (const chunk of chunks) {
    const text = gunzipSync(await store.readBytes(chunk)).toString("utf8");
    yield text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as R]));
  }
}
