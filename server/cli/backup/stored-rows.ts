/** Writes rows into chunks of the store, and reads them back. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { TableRow } from "../../db/table-copy.ts";
import type { BackupStore } from "./backup-store.ts";
import type { StoredRows } from "./snapshot.ts";

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
