/** Processes uploads: facts, peaks, tags, a streaming copy and thumbnails, recorded step by step. */
import { sql } from "kysely";
import { isDiskFull } from "../../db/engine-errors.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { TranscodingStatus } from "../../db/tables/files.ts";
import { topicOf } from "../../events/log.ts";
import type { Job } from "../../jobs/queue.ts";
import { startWorker } from "../../jobs/worker.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { HttpError } from "../../lib/errors.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import type { FilesDeps } from "./deps.ts";
import { syncFileFacts } from "./entry-rows.ts";
import { publishAttachments, publishFileEvent } from "./file-events.ts";
import { createResultRecorder, type ProcessingResult, type ProcessingState } from "./processing-results.ts";
import { loadRemainingQuota, OverQuotaError } from "./quota.ts";
import { parseJson, type Tags } from "./stored-analysis.ts";
import { createTimeSlices } from "./time-slices.ts";
import { createTextJobs } from "./text-jobs.ts";
import { LONG_JOB, MEDIA_JOB } from "./uploads.ts";

export interface AnalyzeUploadOptions {
  /** The file's name. It does not determine the kind, but a document with the name of an audio or video file fails. */
  name: string;
  /** Steps recorded by an earlier run. */
  completedSteps: readonly string[];
  /** `later`: a video that must be encoded gets no copy, thumbnails or stills, and the result is "video". */
  videos: "now" | "later";
  /** Bytes that the results may take, and the failure when they need more. */
  outputSpace: { bytes: number; failure: Failure };
  signal: AbortSignal;
  /** Called as each step ends. */
  onResult(result: ProcessingResult): void;
  /** `share`: 0..1 of all steps to be done. */
  onProgress(step: string, share: number): void;
}

/** `text` is user-facing. `aborted`: stopped from outside, without an error in the file. */
export interface Failure {
  text: string;
  retry: boolean;
  aborted: boolean;
}
const TOO_MANY_CRASHES: Failure = { text: "Processing failed several times.", retry: false, aborted: false };
const OUT_OF_SPACE: Failure = { text: "There is no space left for the results.", retry: true, aborted: false };
const OVER_QUOTA: Failure = {
  text: "Your organization doesn't have enough storage left for this file's waveform and copy. Free up storage, then process the file again.",
  retry: false,
  aborted: false,
};
const NO_STORAGE: Failure = { text: "The file storage was unavailable during processing.", retry: true, aborted: false };
const UNEXPECTED: Failure = { text: "Processing failed for an unknown reason.", retry: true, aborted: false };

/** Analyzes one local file and writes result files into `folder` (`analyze-upload.ts`). Returns "video" for a video that is left to the video job. */
export type AnalyzeUpload = (path: string, folder: string, options: AnalyzeUploadOptions) => Promise<Failure | "video" | null>;

interface MediaWorkerOptions {
  analyzeUpload: AnalyzeUpload;
  onError(error: unknown): void;
}

/** Starts the workers that process uploads. Returns a function that stops them. */
export function startMediaWorkers(deps: FilesDeps, { analyzeUpload, onError }: MediaWorkerOptions): () => Promise<void> {
  const { queue, clock, events } = deps;
  const runJob = createJobRunner(deps, analyzeUpload);
  const slices = createTimeSlices({ queue, clock, onError });
  const run: typeof runJob = (job, signal) => (job.kind === MEDIA_JOB ? slices.run(job, (givesWay) => runJob(job, signal, givesWay)) : runJob(job, signal));
  // Two workers, so that a short file need not wait for a long one, and a separate one for long jobs, such as videos, which take hours.
  const workers = [MEDIA_JOB, MEDIA_JOB, LONG_JOB].map((kind) =>
    startWorker({ queue, clock, kind, leaseMs: MINUTE, pollIntervalMs: 2 * SECOND, run, onError }),
  );
  events.onCommit(({ type }) => {
    if (type === "file.created" || type === "file.updated") for (const worker of workers) worker.wake();
  });
  const textJobs = createTextJobs({ queue, clock, run: runJob, onError });
  return async () => void (await Promise.all([...workers, slices, textJobs].map((part) => part.stop())));
}

const isOutOfSpace = (error: unknown): boolean =>
  isDiskFull(error) || (error as NodeJS.ErrnoException).code === "ENOSPC" || (error instanceof HttpError && error.status === 507);

/** The version that a job processes, and what is recorded of it so far. */
interface Subject {
  version: Row<"file_versions">;
  fileName: string;
  projectId: number;
  /** True for a rerun, such as new tags, on a file whose copy stays playable. */
  isPlayable: boolean;
  state: ProcessingState;
}

/** Returns a function that runs one media job until it is done, requeued, or failed with a reason. */
function createJobRunner(deps: FilesDeps, analyzeUpload: AnalyzeUpload) {
  const { database, clock, storage, queue, events, signals } = deps;
  const recordResults = createResultRecorder(deps);

  async function loadSubject(versionId: number): Promise<Subject | null> {
    const { read } = database;
    const version = await read.selectFrom("file_versions").selectAll().where("id", "=", versionId).executeTakeFirst();
    if (!version) return null;
    const file = await read
      .selectFrom("files")
      .innerJoin("projects", "projects.id", "files.project_id")
      .innerJoin("teams", "teams.id", "projects.team_id")
      .select(["files.name", "files.project_id", "teams.organisation_id"])
      .where("files.id", "=", version.file_id)
      .executeTakeFirstOrThrow();
    return {
      version,
      fileName: file.name,
      projectId: file.project_id,
      isPlayable: version.transcoding_status === "transcoded",
      state: {
        id: version.id,
        organisationId: file.organisation_id,
        completedSteps: parseJson<string[]>(version.steps_done) ?? [],
        tags: parseJson<Tags>(version.tags),
      },
    };
  }

  async function publishFile(tx: Tx, { version }: Subject): Promise<void> {
    await syncFileFacts(tx, database.engine, version.id);
    const file = await tx
      .updateTable("files")
      .set((eb) => ({ revision: eb("revision", "+", 1) }))
      .where("id", "=", version.file_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (file.deleted_at === null) await publishFileEvent(tx, deps, "file.updated", file);
    // Messages go on showing a deleted file.
    else await publishAttachments(tx, deps, file.project_id, sql`${file.id}`);
  }

  const inProjectTransaction = (subject: Subject, work: (tx: Tx) => Promise<void>): Promise<void> =>
    database.write(async (tx) => {
      await events.lock(tx, topicOf.project(subject.projectId));
      await work(tx);
      await publishFile(tx, subject);
    });

  async function setStatus(tx: Tx, { version }: Subject, transcoding_status: TranscodingStatus, failure: string | null): Promise<void> {
    await tx.updateTable("file_versions").set({ transcoding_status, failure }).where("id", "=", version.id).execute();
  }

  async function recordTaggingFailure(tx: Tx, { version, state }: Subject, { text }: Failure): Promise<void> {
    const tags = JSON.stringify({ ...state.tags, model: { state: "failed", detail: text } });
    await tx.updateTable("file_versions").set({ tags }).where("id", "=", version.id).execute();
  }

  /** Throws and thereby rolls back if another worker has claimed the job meanwhile. */
  const endJob = (job: Job, subject: Subject, failure: Failure | null): Promise<void> =>
    inProjectTransaction(subject, async (tx) => {
      const jobOutcome = failure
        ? await queue.fail(tx, clock.now(), job, failure.text, failure.retry)
        : (await queue.finish(tx, clock.now(), job))
          ? "ended"
          : "lost";
      if (jobOutcome === "lost") throw new Error("The lease of a media job was lost while it ended");
      // A playable file stays playable, whether or not tagging fails.
      if (subject.isPlayable && failure && jobOutcome === "ended") await recordTaggingFailure(tx, subject, failure);
      if (!subject.isPlayable) await setStatus(tx, subject, jobOutcome === "requeued" ? "waiting" : failure ? "failed" : "transcoded", failure?.text ?? null);
    });

  /** Videos, which take hours to encode, and files that kept others waiting have a queue of their own, so that short files do not wait behind them. */
  const requeueAsLong = (job: Job, subject: Subject): Promise<void> =>
    inProjectTransaction(subject, async (tx) => {
      if (!(await queue.finish(tx, clock.now(), job))) throw new Error("The lease of a media job was lost while it ended");
      await queue.enqueue(tx, clock.now(), {
        kind: LONG_JOB,
        subject_id: subject.version.id,
        organisation_id: job.organisation_id,
        account_id: job.account_id,
      });
      if (!subject.isPlayable) await setStatus(tx, subject, "waiting", null);
    });

  /** Records results in the background; all that end during the previous write share one transaction. */
  function createResultQueue(subject: Subject, onError: () => void) {
    const pendingResults: ProcessingResult[] = [];
    let lastWrite = Promise.resolve();
    const flush = async () => {
      if (pendingResults.length > 0) await recordResults(subject.state, pendingResults.splice(0), (work) => inProjectTransaction(subject, work));
    };
    return {
      add(result: ProcessingResult): void {
        pendingResults.push(result);
        lastWrite = lastWrite.then(flush);
        lastWrite.catch(onError);
      },
      whenWritten: (): Promise<void> => lastWrite,
    };
  }

  /** Returns the space for results: what the disk and the organization's quota have left. */
  async function loadOutputSpace({ state }: Subject): Promise<AnalyzeUploadOptions["outputSpace"]> {
    const [disk, quota] = await Promise.all([storage.availableBytes(), loadRemainingQuota(deps, database.read, state.organisationId)]);
    return quota < disk ? { bytes: quota, failure: OVER_QUOTA } : { bytes: disk, failure: OUT_OF_SPACE };
  }

  async function analyzeVersion(job: Job, subject: Subject, signal: AbortSignal): Promise<Failure | "video" | null> {
    const { version, projectId, state } = subject;
    const outputSpace = await loadOutputSpace(subject);
    const recordingAbort = new AbortController();
    const results = createResultQueue(subject, () => recordingAbort.abort());
    const options: AnalyzeUploadOptions = {
      name: subject.fileName,
      completedSteps: [...state.completedSteps],
      videos: job.kind === LONG_JOB ? "now" : "later",
      outputSpace,
      signal: AbortSignal.any([signal, recordingAbort.signal]),
      onResult: results.add,
      onProgress(step, progress) {
        const data = { project_id: projectId, file_id: version.file_id, version: version.number, step, progress };
        signals.emit({ type: "file.progress", projectId, accountId: null, data });
      },
    };
    return storage.withTemporaryFolder(async (folder) => {
      const outcome = await storage.withLocalFile(version.blob_key, (path) => analyzeUpload(path, folder, options));
      await results.whenWritten();
      return outcome;
    });
  }

  /** `givesWay`: aborts when the job has to leave its worker to others. */
  return async function run(job: Job, signal: AbortSignal, givesWay?: AbortSignal): Promise<void> {
    const subject = await loadSubject(job.subject_id);
    if (!subject) return void (await database.write((tx) => queue.finish(tx, clock.now(), job)));
    if (job.isExhausted) return await endJob(job, subject, TOO_MANY_CRASHES);
    if (!subject.isPlayable) await inProjectTransaction(subject, (tx) => setStatus(tx, subject, "transcoding", null));
    try {
      const outcome = await analyzeVersion(job, subject, givesWay ? AbortSignal.any([signal, givesWay]) : signal);
      const isCutShort = givesWay?.aborted === true && !signal.aborted && outcome !== "video" && outcome?.aborted === true;
      if (outcome === "video" || isCutShort) return await requeueAsLong(job, subject);
      if (outcome?.aborted) return await queue.release(clock.now(), job);
      await endJob(job, subject, outcome);
    } catch (error) {
      if (error instanceof OverQuotaError) return await endJob(job, subject, OVER_QUOTA);
      // Records the failure of any kind, so that the file does not look as if processing were still under way.
      const failure = isOutOfSpace(error) ? OUT_OF_SPACE : error instanceof StorageUnavailableError ? NO_STORAGE : UNEXPECTED;
      await endJob(job, subject, failure).catch(() => {});
      throw error;
    }
  };
}
