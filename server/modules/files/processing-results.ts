/** Records the results of processing steps and the files they produced; a recorded step does not run again. */
import { lstat } from "node:fs/promises";
import type { Row, Tx } from "../../db/schema.ts";
import { diskFull } from "../../storage/disk-reserve.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import { KEY_COLUMNS, keysOf } from "./blob-keys.ts";
import type { FilesDeps } from "./deps.ts";
import { type PageToStore, storePages } from "./document-pages.ts";
import { deleteBlobs, insertBlobs } from "./blob-rows.ts";
import { claimQuota } from "./quota.ts";
import type { Tags, Peaks } from "./stored-analysis.ts";
import { removeOrphanBlobs } from "./uploads.ts";

/** Version columns that a processing step sets directly. */
export type VersionColumns = Partial<Pick<Row<"file_versions">, "kind" | "media_type" | "duration" | "probe" | "loudness" | "wave" | "short_wave">>;
type VersionChanges = VersionColumns &
  Partial<Pick<Row<"file_versions">, "tags" | "peaks" | "compressed_key" | "compressed_type" | "thumbnail_key" | "still_key">>;

/** The result of one step, in terms of the files module. Paths refer to finished files that are to be stored. */
export interface ProcessingResult {
  step: string;
  facts?: VersionColumns;
  /** Merged with the tags of other steps. */
  tags?: Partial<Tags>;
  peaks?: { channels: number; sampleRate: number; levels: { path: string; samplesPerPixel: number; length: number; bytes: number }[] };
  /** null: the original plays in every browser. */
  compressed?: { path: string; type: string } | null;
  thumbnail?: string | null;
  still?: string | null;
  /** What became of the text of a document. */
  text?: Omit<Row<"document_texts">, "version_id">;
  /** Replaces the pages of the version. */
  pages?: readonly PageToStore[];
}

/** The recorded state of a version, updated with each recorded result. */
export interface ProcessingState {
  id: number;
  organisationId: number;
  completedSteps: string[];
  tags: Tags | null;
}

const NO_TAGS: Tags = { bpm: 0, bpmConfidence: 0, keys: [], keyConfidence: 0, genres: [], moods: [], instruments: [], model: { state: "no-model" } };

export function createResultRecorder(deps: Pick<FilesDeps, "clock" | "storage" | "database" | "limits">) {
  const { clock, storage } = deps;

  /** Stores the result files and returns the column changes. Runs before the transaction, because hashing large files takes a while. */
  async function storeResults(state: ProcessingState, results: ProcessingResult[], blobs: StoredBlob[]): Promise<VersionChanges> {
    const changes: VersionChanges = {};
    const storeFile = async (path: string): Promise<string> => {
      if ((await storage.availableBytes()) === 0) throw diskFull();
      const blob = await storage.importFile(path, (await lstat(path)).size);
      blobs.push(blob);
      return blob.key;
    };
    let tags = state.tags;
    for (const result of results) {
      const { facts, peaks, compressed, thumbnail, still } = result;
      Object.assign(changes, facts);
      if (result.tags) {
        tags = { ...NO_TAGS, ...tags, ...result.tags };
        changes.tags = JSON.stringify(tags);
      }
      if (peaks) {
        const levels: Peaks["levels"] = [];
        for (const { path, ...level } of peaks.levels) levels.push({ ...level, key: await storeFile(path) });
        changes.peaks = JSON.stringify({ channels: peaks.channels, sampleRate: peaks.sampleRate, levels } satisfies Peaks);
      }
      if (compressed !== undefined)
        Object.assign(changes, { compressed_key: compressed === null ? null : await storeFile(compressed.path), compressed_type: compressed?.type ?? null });
      if (thumbnail !== undefined) changes.thumbnail_key = thumbnail === null ? null : await storeFile(thumbnail);
      if (still !== undefined) changes.still_key = still === null ? null : await storeFile(still);
    }
    state.tags = tags;
    return changes;
  }

  /**
   * Stores the result files and records the results with `inProjectTransaction`, which publishes the change. Removes blobs of an earlier run that the
   * results replace. Throws a 413 if the organization's quota does not allow for them, and a 507 if only the
   * reserve of free disk space is left.
   */
  return async function recordResults(
    state: ProcessingState,
    results: ProcessingResult[],
    inProjectTransaction: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const blobs: StoredBlob[] = [];
    let replacedKeys: string[] = [];
    try {
      const changes = await storeResults(state, results, blobs);
      for (const { pages } of results) if (pages) await storePages(deps, state.id, pages);
      const completedSteps = [...new Set([...state.completedSteps, ...results.map(({ step }) => step)])];
      await inProjectTransaction(async (tx) => {
        const now = clock.now();
        const before = await tx.selectFrom("file_versions").select(KEY_COLUMNS).where("id", "=", state.id).executeTakeFirstOrThrow();
        await tx
          .updateTable("file_versions")
          .set({ ...changes, steps_done: JSON.stringify(completedSteps) })
          .where("id", "=", state.id)
          .execute();
        for (const { text } of results)
          if (text)
            await tx
              .insertInto("document_texts")
              .values({ version_id: state.id, ...text })
              .onConflict((conflict) => conflict.column("version_id").doUpdateSet(text))
              .execute();
        const after = new Set(keysOf({ ...before, ...changes }).map(({ key }) => key));
        replacedKeys = keysOf(before).flatMap(({ key }) => (after.has(key) ? [] : [key]));
        await deleteBlobs(tx, replacedKeys);
        const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
        if (bytes > 0) await claimQuota(deps, tx, state.organisationId, bytes);
        await insertBlobs(tx, state.organisationId, blobs, now);
      });
      state.completedSteps = completedSteps;
    } catch (error) {
      await removeOrphanBlobs(
        { storage },
        blobs.map(({ key }) => key),
        error,
      );
      throw error;
    }
    await Promise.all(replacedKeys.map((key) => storage.remove(key)));
  };
}
