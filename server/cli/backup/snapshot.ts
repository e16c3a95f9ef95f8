/** What a backup consists of: a document that names chunks of rows and the list of files, in a form that both engines read. */
import { deriveKey } from "../../lib/crypto.ts";

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
