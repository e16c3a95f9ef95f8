/** Creates the files services and starts the workers that process uploads. */
import type { Job } from "../../jobs/queue.ts";
import { startWorker } from "../../jobs/worker.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { createFileStatuses } from "../statuses/file-statuses.ts";
import { createArchives } from "./archive.ts";
import { createDeleting } from "./deleting.ts";
import type { FilesDeps } from "./deps.ts";
import { createEntries } from "./entries.ts";
import { createFacets } from "./facets.ts";
import { createListing } from "./listing.ts";
import { createMoving } from "./moving.ts";
import { createRestoring } from "./restoring.ts";
import { createResumable } from "./resumable.ts";
import { createUploads, VIDEO_JOB, MEDIA_JOB } from "./uploads.ts";
import { createVersions } from "./versions.ts";

export const createFileServices = (deps: FilesDeps, signingKey: Buffer) => ({
  entries: createEntries(deps),
  listing: createListing(deps),
  facets: createFacets(deps),
  moving: createMoving(deps),
  deleting: createDeleting(deps),
  restoring: createRestoring(deps),
  archives: createArchives(deps),
  uploads: createUploads(deps),
  resumable: createResumable(deps),
  fileStatuses: createFileStatuses(deps),
  versions: createVersions({ ...deps, signingKey }),
});

/** Starts the workers. Returns a function that stops them. */
export function startMediaWorkers(
  { queue, clock, events }: FilesDeps,
  run: (job: Job, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  // Two workers, so that a short file need not wait for a long one, and a separate one for videos, which take hours.
  const workers = [MEDIA_JOB, MEDIA_JOB, VIDEO_JOB].map((kind) =>
    startWorker({ queue, clock, kind, leaseMs: MINUTE, pollIntervalMs: 2 * SECOND, run, onError }),
  );
  events.onCommit(({ type }) => {
    if (type === "file.created" || type === "file.updated") for (const worker of workers) worker.wake();
  });
  return async () => void (await Promise.all(workers.map((worker) => worker.stop())));
}
