/** Files and folders: uploads, versions, processing, the files view, downloads and tags. */
import type { ServiceModule } from "../../http/module.ts";
import { startWorker } from "../../jobs/worker.ts";
import { HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import type { FilesDeps } from "./deps.ts";
import { createProcessing, type Examine, type PublishProgress } from "./processing.ts";
import { purgeDeletedFiles } from "./retention.ts";
import { registerFileRoutes, type FileRouteDeps } from "./routes.ts";
import { createFileServices, type FileServices } from "./services.ts";
import { registerTusRoutes } from "./tus-routes.ts";
import { MEDIA_JOB, VIDEO_JOB } from "./uploads.ts";
import { registerFilesViewRoutes } from "./view-routes.ts";

export interface FilesOptions {
  signingKey: Buffer;
  /** Folder on the local disk for the parts of unfinished uploads. */
  folder: string;
  loadActor: FileRouteDeps["loadActor"];
}

export function createFilesModule(deps: FilesDeps, { signingKey, folder, loadActor }: FilesOptions): ServiceModule<FileServices> {
  const services = createFileServices(deps, signingKey);
  const { present, storage, publicUrl, limits } = deps;
  return {
    services,
    features: ["files", "files-view"],
    register({ server, route, authorize, fetcher }) {
      registerFileRoutes(route, services, { present, storage, publicUrl, fetcher, loadActor });
      registerFilesViewRoutes(route, services, present, storage);
      const { expire } = registerTusRoutes(server, route, authorize, { resumable: services.resumable, folder, uploadBytes: limits.uploadBytes });
      return {
        // Active uploads and media work write continuously, so they never become stale.
        "delete stale upload data": () => storage.removeStale(HOUR),
        "delete expired uploads": expire,
        "delete the bytes of deleted files": () => purgeDeletedFiles(deps),
      };
    },
  };
}

export interface MediaWorkerOptions {
  examine: Examine;
  publishProgress: PublishProgress;
  onError(error: unknown): void;
}

/** Starts the workers that process uploads. Returns a function that stops them. */
export function startMediaWorkers(deps: FilesDeps, { examine, publishProgress, onError }: MediaWorkerOptions): () => Promise<void> {
  const { queue, clock, events } = deps;
  const { run } = createProcessing(deps, examine, publishProgress);
  // Two workers, so that a short file need not wait for a long one, and a separate one for videos, which take hours.
  const workers = [MEDIA_JOB, MEDIA_JOB, VIDEO_JOB].map((kind) =>
    startWorker({ queue, clock, kind, leaseMs: MINUTE, pollIntervalMs: 2 * SECOND, run, onError }),
  );
  events.onCommit(({ type }) => {
    if (type === "file.created" || type === "file.updated") for (const worker of workers) worker.wake();
  });
  return async () => void (await Promise.all(workers.map((worker) => worker.stop())));
}
