/** Versions and their bytes. */
import type { Actor } from "../../access/access.ts";
import { type IdempotencyKey, runIdempotent } from "../../access/idempotency.ts";
import type { Row } from "../../db/schema.ts";
import { MAX_INT4 } from "../../db/engine-sql.ts";
import { toPage } from "../../http/paging.ts";
import type { Content } from "../../http/send-bytes.ts";
import { conflict, HttpError, invalid, notFound } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";
import { assertCanAddVersion } from "./destination.ts";
import { publishFileEvent } from "./file-events.ts";
import { VERSION_COLUMNS, type FileView, type Variant, type VersionSummary } from "./presenter.ts";
import { loadAuthorizedFile, loadFileView, lockFile, loadVersion } from "./repository.ts";
import { parseJson, type Peaks } from "./stored-analysis.ts";
import { addVersion, LONG_JOB, MEDIA_JOB } from "./uploads.ts";

/** A blob to send, with its media type and file name. */
/** Jobs of one account that may wait before it cannot ask for more. */
export const MAX_WAITING_JOBS = 200;

const EXTENSIONS: Record<string, string> = { "audio/mp4": ".m4a", "audio/mpeg": ".mp3", "audio/webm": ".webm", "video/mp4": ".mp4", "video/webm": ".webm" };
/** Matches the output of the media module; images and covers use WebP to keep transparency. */
const thumbnailFormat = ({ kind }: VersionSummary) =>
  kind === "video" ? { type: "image/jpeg", extension: ".jpg" } : { type: "image/webp", extension: ".webp" };

const COPY_OF_VARIANT: Record<Exclude<Variant, "original">, (version: VersionSummary) => { key: string | null; type: string; extension: string }> = {
  compressed: ({ compressed_key, compressed_type }) => ({
    key: compressed_key,
    type: compressed_type ?? "application/octet-stream",
    extension: EXTENSIONS[compressed_type ?? ""] ?? "",
  }),
  still: (version) => ({ key: version.still_key, type: "image/jpeg", extension: ".jpg" }),
  thumbnail: (version) => ({ key: version.thumbnail_key, ...thumbnailFormat(version) }),
};

const fileStem = (name: string): string => name.replace(/\.[^.]{1,8}$/, "");

export type Versions = ReturnType<typeof createVersions>;

export function createVersions(deps: FilesDeps) {
  const { database, clock, queue, events } = deps;

  /** Returns the file and its version with this number; null: the current one. */
  async function loadAuthorizedVersion(
    actor: Actor,
    fileId: number,
    number: number | null,
  ): Promise<{ file: Row<"files">; version: VersionSummary & { peaks: string | null } }> {
    const file = await loadAuthorizedFile(database.read, actor, "file.read", fileId);
    return { file, version: await loadVersion(database.read, file, number) };
  }

  return {
    loadAuthorizedVersion,

    /** Returns a page, newest first; `before`: number of the previous page's last version, 0 for the first page. `next` is the last number, null on the last page. */
    async list(actor: Actor, fileId: number, before: number, limit: number): Promise<{ versions: VersionSummary[]; next: number | null }> {
      const file = await loadAuthorizedFile(database.read, actor, "file.read", fileId);
      let query = database.read.selectFrom("file_versions").select(VERSION_COLUMNS).where("file_id", "=", file.id);
      if (before > 0) query = query.where("number", "<", Math.min(before, MAX_INT4));
      const rows = await query
        .orderBy("number", "desc")
        .limit(limit + 1)
        .execute();
      const page = toPage(rows, limit);
      return { versions: page.rows, next: page.next === null ? null : (page.rows.at(-1)?.number ?? null) };
    },

    /** Adds a version that shares the stored original of an earlier one. Throws a 409 for the current version, and for one with its bytes. */
    restore(actor: Actor, fileId: number, number: number, idempotencyKey: IdempotencyKey | null): Promise<FileView> {
      return database.write(async (tx) => {
        const file = await lockFile(tx, events, actor, "file.create", fileId);
        await assertCanAddVersion(tx, actor, file);
        await runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => {
          const earlier = await loadVersion(tx, file, number);
          if (earlier.id === file.version_id) throw conflict("It is the current version already.");
          const { blob_key, size, kind } = earlier;
          if (blob_key === (await loadVersion(tx, file, null)).blob_key) throw conflict("The current version has the same bytes already.");
          await addVersion(tx, deps, actor, file, { blob_key, size, kind }, (added) => `Version ${number} restored as version ${added}`);
          return number;
        });
        return loadFileView(tx, await loadAuthorizedFile(tx, actor, "file.read", fileId));
      });
    },

    async peaks(actor: Actor, fileId: number, number: number | null): Promise<{ version: VersionSummary; peaks: Peaks }> {
      const { version } = await loadAuthorizedVersion(actor, fileId, number);
      const peaks = parseJson<Peaks>(version.peaks);
      if (!peaks)
        throw new HttpError(404, version.transcoding_status === "failed" ? "This file could not be read, so it has no peaks." : "The peaks are not ready yet.");
      return { version, peaks };
    },

    async content(actor: Actor, fileId: number, number: number, variant: Variant): Promise<Content> {
      const { file, version } = await loadAuthorizedVersion(actor, fileId, number);
      if (variant === "original") return { key: version.blob_key, mediaType: version.media_type, fileName: file.name };
      const { key, type, extension } = COPY_OF_VARIANT[variant](version);
      if (key === null) throw notFound(`${variant} copy of this file`);
      return { key, mediaType: type, fileName: fileStem(file.name) + extension };
    },

    async peaksLevel(actor: Actor, fileId: number, number: number, level: number): Promise<Content> {
      const { file, version } = await loadAuthorizedVersion(actor, fileId, number);
      const peaksLevelInfo = parseJson<Peaks>(version.peaks)?.levels[level];
      if (!peaksLevelInfo) throw notFound("level of this file's peaks");
      return { key: peaksLevelInfo.key, mediaType: "application/octet-stream", fileName: `${fileStem(file.name)}-${peaksLevelInfo.samplesPerPixel}.dat` };
    },

    /**
     * Queues the current version for reprocessing of `steps` or everything; throws a 409 while processing is under way, and a 429 while many jobs of the
     * actor wait. Uploads are never refused for that: their jobs wait for the actor's turns.
     */
    process(actor: Actor, fileId: number, steps?: readonly string[]): Promise<FileView> {
      return database.write(async (tx) => {
        const file = await lockFile(tx, events, actor, "file.process", fileId);
        if (file.version_id === null) throw invalid("file_id", "must be a file");
        const activeJob = await tx
          .selectFrom("jobs")
          .select("id")
          .where("kind", "in", [MEDIA_JOB, LONG_JOB])
          .where("subject_id", "=", file.version_id)
          .where("state", "in", ["waiting", "running"])
          .executeTakeFirst();
        if (activeJob) throw conflict("This file is already being processed.");
        if (await queue.hasWaiting(tx, actor.accountId, [MEDIA_JOB, LONG_JOB], MAX_WAITING_JOBS))
          throw new HttpError(429, `You have ${MAX_WAITING_JOBS} files waiting to be processed. Try again once some of them are done.`, { retryAfter: 60 });
        const { steps_done, transcoding_status } = await tx
          .selectFrom("file_versions")
          .select(["steps_done", "transcoding_status"])
          .where("id", "=", file.version_id)
          .executeTakeFirstOrThrow();
        const remainingSteps = steps ? (parseJson<string[]>(steps_done) ?? []).filter((step) => !steps.includes(step)) : [];
        await tx
          .updateTable("file_versions")
          // A version that keeps its copy stays playable during reprocessing.
          .set({
            ...(transcoding_status === "transcoded" && remainingSteps.includes("copy") ? {} : { transcoding_status: "waiting", failure: null }),
            steps_done: JSON.stringify(remainingSteps),
          })
          .where("id", "=", file.version_id)
          .execute();
        await queue.enqueue(tx, clock.now(), {
          kind: MEDIA_JOB,
          subject_id: file.version_id,
          organisation_id: actor.organisationId,
          account_id: actor.accountId,
        });
        const updatedFile = await tx
          .updateTable("files")
          .set((eb) => ({ revision: eb("revision", "+", 1) }))
          .where("id", "=", file.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return publishFileEvent(tx, deps, "file.updated", updatedFile);
      });
    },
  };
}
