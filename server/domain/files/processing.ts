/** What becomes of an upload: facts, peaks, tags, a copy that streams and pictures, recorded step by step. */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { Job } from "../../jobs/queue.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import { announce, type FilesDeps } from "./deps.ts";
import type { Peaks } from "./versions.ts";

/** Columns of a version that one step fills in. */
export type VersionFacts = Partial<Pick<Row<"file_versions">, "kind" | "media_type" | "duration" | "probe" | "loudness" | "tags" | "wave" | "short_wave">>;

type VersionChanges = VersionFacts &
  Partial<Pick<Row<"file_versions">, "peaks" | "compressed_key" | "thumbnail_key" | "still_key" | "transcoding_status" | "failure">>;

/** One step's outcome, in the files room's terms. Paths are of finished files that are to be kept. */
export interface Finding {
  facts?: VersionFacts;
  peaks?: { channels: number; sampleRate: number; levels: { path: string; samplesPerPixel: number; length: number; bytes: number }[] };
  /** null: the original plays everywhere. */
  compressed?: string | null;
  thumbnail?: string | null;
  still?: string | null;
}

export interface Examination {
  /** All that was found, also before a failure. */
  findings: Finding[];
  /** For a person; null: everything worked. */
  failure: { text: string; retry: boolean; aborted: boolean } | null;
}

/** The media room behind this interface looks at one local file and writes what it makes into `folder`. */
export type Examine = (path: string, folder: string, options: { signal: AbortSignal }) => Promise<Examination>;

export function createProcessing(deps: FilesDeps, examine: Examine) {
  const { database, clock, storage, queue, events } = deps;

  /** Stores what was made. Outside the transaction, since large files take a while to hash. */
  async function keep(findings: Finding[]): Promise<{ changes: VersionChanges; blobs: StoredBlob[] }> {
    const blobs: StoredBlob[] = [];
    const changes: VersionChanges = {};
    const keyOf = async (path: string): Promise<string> => {
      const blob = await storage.adopt(path, (await stat(path)).size);
      blobs.push(blob);
      return blob.key;
    };
    try {
      for (const { facts, peaks, compressed, thumbnail, still } of findings) {
        Object.assign(changes, facts);
        if (peaks) {
          const levels: Peaks["levels"] = [];
          for (const { path, ...level } of peaks.levels) levels.push({ ...level, key: await keyOf(path) });
          changes.peaks = JSON.stringify({ channels: peaks.channels, sampleRate: peaks.sampleRate, levels } satisfies Peaks);
        }
        if (compressed) changes.compressed_key = await keyOf(compressed);
        if (thumbnail) changes.thumbnail_key = await keyOf(thumbnail);
        if (still) changes.still_key = await keyOf(still);
      }
      return { changes, blobs };
    } catch (error) {
      await discard(blobs);
      throw error;
    }
  }

  const discard = (blobs: StoredBlob[]) => Promise.all(blobs.map(({ key }) => storage.remove(key)));

  async function record(tx: Tx, organisationId: number, versionId: number, changes: VersionChanges, blobs: StoredBlob[]): Promise<void> {
    const now = clock.now();
    for (const { key, size, sha256 } of blobs)
      await tx.insertInto("blobs").values({ key, organisation_id: organisationId, size, sha256, created_at: now }).execute();
    await tx.updateTable("file_versions").set(changes).where("id", "=", versionId).execute();
  }

  /** Tells the project how the file stands now. */
  async function tell(tx: Tx, fileId: number): Promise<void> {
    const file = await tx.selectFrom("files").selectAll().where("id", "=", fileId).executeTakeFirstOrThrow();
    if (file.deleted_at === null) await announce(tx, deps, "file.updated", file);
  }

  async function subject(versionId: number) {
    const { read } = database;
    const version = await read.selectFrom("file_versions").selectAll().where("id", "=", versionId).executeTakeFirst();
    if (!version) return null;
    const place = await read
      .selectFrom("files")
      .innerJoin("projects", "projects.id", "files.project_id")
      .innerJoin("teams", "teams.id", "projects.team_id")
      .select(["files.project_id", "teams.organisation_id"])
      .where("files.id", "=", version.file_id)
      .executeTakeFirstOrThrow();
    return { version, projectId: place.project_id, organisationId: place.organisation_id };
  }

  return {
    /** Runs one media job to its end: done, put off, or failed with a reason. */
    async run(job: Job, signal: AbortSignal): Promise<void> {
      const found = await subject(job.subject_id);
      if (!found) return void (await database.write((tx) => queue.finish(tx, clock.now(), job)));
      const { version, projectId, organisationId } = found;
      const topic = topicOf.project(projectId);
      await database.write(async (tx) => {
        await events.lock(tx, topic);
        await tx.updateTable("file_versions").set({ transcoding_status: "transcoding" }).where("id", "=", version.id).execute();
        await tell(tx, version.file_id);
      });
      const folder = await mkdtemp(join(tmpdir(), "talkback-media-"));
      try {
        const examination = await storage.withLocalFile(version.blob_key, (path) => examine(path, folder, { signal }));
        const { failure } = examination;
        // Stopped from outside: nothing is wrong with the file. The lease runs out and the job is taken up again.
        if (failure?.aborted) return;
        const { changes, blobs } = await keep(examination.findings);
        try {
          await database.write(async (tx) => {
            await events.lock(tx, topic);
            const again = failure ? await queue.fail(tx, clock.now(), job, failure.text, failure.retry) : false;
            if (!failure && !(await queue.finish(tx, clock.now(), job))) throw new Error("The lease of a media job was lost while it ended");
            const state = {
              transcoding_status: again ? ("waiting" as const) : failure ? ("failed" as const) : ("transcoded" as const),
              failure: failure?.text ?? null,
            };
            await record(tx, organisationId, version.id, { ...changes, ...state }, blobs);
            await tell(tx, version.file_id);
          });
        } catch (error) {
          await discard(blobs);
          throw error;
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
