/** What becomes of an upload: facts, peaks, tags, a copy that streams and pictures, recorded step by step. */
import { isDiskFull } from "../../db/engine-errors.ts";
import type { TranscodingStatus, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { Job } from "../../jobs/queue.ts";
import { parsed, type Tags } from "../../presenters/files.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { FILM_JOB } from "./uploads.ts";
import { repeatFacts } from "./facts.ts";
import { createFindings, type Finding } from "./findings.ts";

export interface Looking {
  /** What people call the file. It decides nothing about its kind; a name that promises sound over a text is worth a word. */
  name: string;
  /** Steps that an earlier run has recorded. */
  done: readonly string[];
  /** `later`: a video that must be encoded gets neither copy nor pictures, and "film" is answered. */
  films: "now" | "later";
  signal: AbortSignal;
  /** As each step ends. */
  onFinding(finding: Finding): void;
  /** 0..1 of all that is to be done. */
  onProgress(step: string, share: number): void;
}

/** `text` is for a person. `aborted`: stopped from outside, nothing is wrong with the file. */
export interface Failure {
  text: string;
  retry: boolean;
  aborted: boolean;
}
const BROKE_OFF: Failure = { text: "Processing broke off several times and was given up.", retry: false, aborted: false };
const NO_ROOM: Failure = { text: "There is no space left to keep the results.", retry: true, aborted: false };
const UNEXPECTED: Failure = { text: "Processing failed for a reason that is not known yet.", retry: true, aborted: false };

/** The media room behind this interface looks at one local file and writes what it makes into `folder`. */
export type Examine = (path: string, folder: string, looking: Looking) => Promise<Failure | "film" | null>;

/** Who hears how far it is; not stored. */
export type TellProgress = (projectId: number, progress: { file_id: number; version: number; step: string; progress: number }) => void;

const isNoRoom = (error: unknown): boolean => isDiskFull(error) || (error as NodeJS.ErrnoException).code === "ENOSPC";

export function createProcessing(deps: FilesDeps, examine: Examine, tellProgress: TellProgress) {
  const { database, clock, storage, queue, events } = deps;
  const record = createFindings(deps);

  async function tell(tx: Tx, fileId: number, versionId: number): Promise<void> {
    await repeatFacts(tx, versionId);
    const file = await tx
      .updateTable("files")
      .set((eb) => ({ revision: eb("revision", "+", 1) }))
      .where("id", "=", fileId)
      .returningAll()
      .executeTakeFirstOrThrow();
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
      .select(["files.name", "files.project_id", "teams.organisation_id"])
      .where("files.id", "=", version.file_id)
      .executeTakeFirstOrThrow();
    return { version, name: place.name, projectId: place.project_id, organisationId: place.organisation_id };
  }

  return {
    /** Runs one media job to its end: done, put off, or failed with a reason. */
    async run(job: Job, signal: AbortSignal): Promise<void> {
      const found = await subject(job.subject_id);
      if (!found) return void (await database.write((tx) => queue.finish(tx, clock.now(), job)));
      const { version, name, projectId, organisationId } = found;
      /** Asked for new tags of a file whose copy stays. */
      const plays = version.transcoding_status === "transcoded";
      const inTopic = (work: (tx: Tx) => Promise<void>) =>
        database.write(async (tx) => {
          await events.lock(tx, topicOf.project(projectId));
          await work(tx);
          await tell(tx, version.file_id, version.id);
        });
      const setState = (tx: Tx, transcoding_status: TranscodingStatus, failure: string | null) =>
        tx.updateTable("file_versions").set({ transcoding_status, failure }).where("id", "=", version.id).execute();
      /** Throws, and with that rolls back, where another worker has the job meanwhile. */
      const end = (failure: Failure | null) =>
        inTopic(async (tx) => {
          const ended = failure
            ? await queue.fail(tx, clock.now(), job, failure.text, failure.retry)
            : (await queue.finish(tx, clock.now(), job))
              ? "ended"
              : "lost";
          if (ended === "lost") throw new Error("The lease of a media job was lost while it ended");
          // What plays goes on playing, whatever becomes of new tags.
          if (plays && failure && ended === "ended") await noteUntagged(tx, failure);
          if (!plays) await setState(tx, ended === "again" ? "waiting" : failure ? "failed" : "transcoded", failure?.text ?? null);
        });
      /** The copy of a film takes hours: it waits in a line of its own, so that short files need not wait behind it. */
      const goOnAsFilm = () =>
        inTopic(async (tx) => {
          if (!(await queue.finish(tx, clock.now(), job))) throw new Error("The lease of a media job was lost while it ended");
          await queue.add(tx, clock.now(), FILM_JOB, version.id);
          await setState(tx, "waiting", null);
        });
      const noteUntagged = (tx: Tx, { text }: Failure) =>
        tx
          .updateTable("file_versions")
          .set({ tags: JSON.stringify({ ...notes.tags, model: { state: "failed", detail: text } }) })
          .where("id", "=", version.id)
          .execute();

      const notes = { id: version.id, organisationId, done: parsed<string[]>(version.steps_done) ?? [], tags: parsed<Tags>(version.tags) };
      if (job.spent) return await end(BROKE_OFF);
      if (!plays) await inTopic(async (tx) => void (await setState(tx, "transcoding", null)));
      const broken = new AbortController();
      const waiting: Finding[] = [];
      let writing = Promise.resolve();
      /** What ends while the last step is being recorded is recorded together. */
      const write = async () => {
        if (waiting.length > 0) await record(notes, waiting.splice(0), inTopic);
      };
      const looking: Looking = {
        name,
        done: [...notes.done],
        films: job.kind === FILM_JOB ? "now" : "later",
        signal: AbortSignal.any([signal, broken.signal]),
        onFinding(finding) {
          waiting.push(finding);
          writing = writing.then(write);
          writing.catch(() => broken.abort());
        },
        onProgress: (step, progress) => tellProgress(projectId, { file_id: version.file_id, version: version.number, step, progress }),
      };
      try {
        const outcome = await storage.withFolder(async (folder) => {
          const looked = await storage.withLocalFile(version.blob_key, (path) => examine(path, folder, looking));
          await writing;
          return looked;
        });
        if (outcome === "film") return await goOnAsFilm();
        if (outcome?.aborted) return await queue.release(clock.now(), job);
        await end(outcome);
      } catch (error) {
        // Whatever it was, the file must not look as if it were still being worked on.
        await end(isNoRoom(error) ? NO_ROOM : UNEXPECTED).catch(() => {});
        throw error;
      }
    },
  };
}
