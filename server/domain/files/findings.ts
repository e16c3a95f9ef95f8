/** Records what the steps of processing found, with the files they made; a step that is recorded is not done again. */
import { stat } from "node:fs/promises";
import type { Row, Tx } from "../../db/schema.ts";
import type { Tags } from "../../presenters/files.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import type { FilesDeps } from "./deps.ts";
import { KEY_COLUMNS, keysOf } from "./stored-keys.ts";
import { removeUnrecorded } from "./unrecorded.ts";
import type { Peaks } from "./versions.ts";

/** Columns of a version that one step fills in. */
export type VersionFacts = Partial<Pick<Row<"file_versions">, "kind" | "media_type" | "duration" | "probe" | "loudness" | "wave" | "short_wave">>;
type VersionChanges = VersionFacts &
  Partial<Pick<Row<"file_versions">, "tags" | "peaks" | "compressed_key" | "compressed_type" | "thumbnail_key" | "still_key">>;

/** One step's outcome, in the files room's terms. Paths are of finished files that are to be kept. */
export interface Finding {
  step: string;
  facts?: VersionFacts;
  /** Joins what other steps found. */
  tags?: Partial<Tags>;
  peaks?: { channels: number; sampleRate: number; levels: { path: string; samplesPerPixel: number; length: number; bytes: number }[] };
  /** null: the original plays everywhere. */
  compressed?: { path: string; type: string } | null;
  thumbnail?: string | null;
  still?: string | null;
}

/** What is known of the version so far; grows with what is recorded. */
export interface Notes {
  id: number;
  organisationId: number;
  done: string[];
  tags: Tags | null;
}

const NO_TAGS: Tags = { bpm: 0, bpmConfidence: 0, keys: [], keyConfidence: 0, genres: [], moods: [], instruments: [], model: { state: "no-model" } };

export function createFindings({ clock, storage }: Pick<FilesDeps, "clock" | "storage">) {
  /** Before the transaction, since large files take a while to hash. */
  async function keep(notes: Notes, findings: Finding[], blobs: StoredBlob[]): Promise<VersionChanges> {
    const changes: VersionChanges = {};
    const keyOf = async (path: string): Promise<string> => {
      const blob = await storage.adopt(path, (await stat(path)).size);
      blobs.push(blob);
      return blob.key;
    };
    let tags = notes.tags;
    for (const finding of findings) {
      const { facts, peaks, compressed, thumbnail, still } = finding;
      Object.assign(changes, facts);
      if (finding.tags) {
        tags = { ...NO_TAGS, ...tags, ...finding.tags };
        changes.tags = JSON.stringify(tags);
      }
      if (peaks) {
        const levels: Peaks["levels"] = [];
        for (const { path, ...level } of peaks.levels) levels.push({ ...level, key: await keyOf(path) });
        changes.peaks = JSON.stringify({ channels: peaks.channels, sampleRate: peaks.sampleRate, levels } satisfies Peaks);
      }
      if (compressed !== undefined)
        Object.assign(changes, { compressed_key: compressed === null ? null : await keyOf(compressed.path), compressed_type: compressed?.type ?? null });
      if (thumbnail !== undefined) changes.thumbnail_key = thumbnail === null ? null : await keyOf(thumbnail);
      if (still !== undefined) changes.still_key = still === null ? null : await keyOf(still);
    }
    notes.tags = tags;
    return changes;
  }

  /** `inTopic` runs the writing where the change is told. What an earlier run had made goes. */
  return async function record(notes: Notes, findings: Finding[], inTopic: (work: (tx: Tx) => Promise<void>) => Promise<void>): Promise<void> {
    const blobs: StoredBlob[] = [];
    let replaced: string[] = [];
    try {
      const changes = await keep(notes, findings, blobs);
      const done = [...new Set([...notes.done, ...findings.map(({ step }) => step)])];
      await inTopic(async (tx) => {
        const now = clock.now();
        for (const { key, size, sha256 } of blobs)
          await tx.insertInto("blobs").values({ key, organisation_id: notes.organisationId, size, sha256, created_at: now }).execute();
        const before = await tx.selectFrom("file_versions").select(KEY_COLUMNS).where("id", "=", notes.id).executeTakeFirstOrThrow();
        await tx
          .updateTable("file_versions")
          .set({ ...changes, steps_done: JSON.stringify(done) })
          .where("id", "=", notes.id)
          .execute();
        const after = new Set(keysOf({ ...before, ...changes }).map(({ key }) => key));
        replaced = keysOf(before).flatMap(({ key }) => (after.has(key) ? [] : [key]));
        if (replaced.length > 0) await tx.deleteFrom("blobs").where("key", "in", replaced).execute();
      });
      notes.done = done;
    } catch (error) {
      await removeUnrecorded(
        { storage },
        blobs.map(({ key }) => key),
        error,
      );
      throw error;
    }
    await Promise.all(replaced.map((key) => storage.remove(key)));
  };
}
