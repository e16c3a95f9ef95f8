/**
 * SHA-256 of unfinished uploads on the local disk, carried from part to part in this process, so that a finished upload need not be read again. One is
 * known only while this process has written every byte of the file, from the first to the last, and nobody has changed the file since.
 */
import type { Hash } from "node:crypto";
import type { BigIntStats } from "node:fs";

const MAX_HASHES = 1_000;

interface KnownFile {
  hash: Hash;
  stats: BigIntStats;
}

const isUnchanged = (known: BigIntStats, now: BigIntStats): boolean =>
  known.dev === now.dev && known.ino === now.ino && known.size === now.size && known.mtimeNs === now.mtimeNs && known.ctimeNs === now.ctimeNs;

export function createPartHashes(limit = MAX_HASHES) {
  const known = new Map<string, KnownFile>();
  /** Writers of each upload now, and whether there was more than one: what is on disk then depends on their order. */
  const writers = new Map<string, { count: number; isShared: boolean }>();

  return {
    /** Announces a writer of the file, before it looks at the file; `leave` ends it. */
    enter(id: string): void {
      const count = (writers.get(id)?.count ?? 0) + 1;
      writers.set(id, { count, isShared: count > 1 });
      if (count > 1) known.delete(id);
    },
    leave(id: string): void {
      const { count, isShared } = writers.get(id) ?? { count: 1, isShared: false };
      if (count > 1) writers.set(id, { count: count - 1, isShared });
      else writers.delete(id);
    },

    /** Takes the hash of the file's bytes before a part that starts at `offset`; null if it is not known. The writer hands it back with `remember`. */
    take(id: string, offset: number, stats: BigIntStats): Hash | null {
      const file = known.get(id);
      known.delete(id);
      return file && stats.size === BigInt(offset) && isUnchanged(file.stats, stats) ? file.hash : null;
    },

    /** Keeps the hash of all bytes of the file; forgets the upload that has received nothing for the longest time beyond the limit. */
    remember(id: string, hash: Hash, stats: BigIntStats): void {
      if (writers.get(id)?.isShared) return;
      known.set(id, { hash, stats });
      const [oldest] = known.keys();
      if (known.size > limit && oldest !== undefined) known.delete(oldest);
    },

    /** Returns the SHA-256 (hex) of the file as it is now; null if it is not known. */
    find(id: string, stats: BigIntStats): string | null {
      const file = known.get(id);
      // Requests may finish an upload at the same time, and a digest ends its hash.
      return file && isUnchanged(file.stats, stats) ? file.hash.copy().digest("hex") : null;
    },

    forget: (id: string): void => void known.delete(id),
  };
}
