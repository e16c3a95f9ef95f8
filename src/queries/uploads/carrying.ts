/** Carries uploads a few at a time: starts them as places are free and waits out their pauses. */
import type { UploadListener, UploadInput } from "../../api/uploads.ts";
import { hasTarget, type UploadEvent, type Upload } from "./upload.ts";

export interface UploadSchedulerDeps {
  start(input: UploadInput, listener: UploadListener): { stop(): void };
  uploads(): readonly Upload[];
  getFile(id: string): Blob | undefined;
  dispatch(id: string, event: UploadEvent): void;
}

export interface UploadScheduler {
  /** Starts what may go out now. */
  run(): void;
  /** Stops an upload's transfer and its pause, whichever there is. */
  stop(id: string): void;
  /** Starts the upload once this time is over, unless it is ended or started before. */
  startAfter(id: string, delayMs: number): void;
}

/** More at once only share the same line. A message's files and those of folders do not wait for one another. */
const MAX_PARALLEL = 3;

export function createUploadScheduler({ start, uploads, getFile, dispatch }: UploadSchedulerDeps): UploadScheduler {
  const transfers = new Map<string, { stop(): void; isFolderUpload: boolean }>();
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  const hasFreeSlot = (isFolderUpload: boolean) =>
    [...transfers.values()].filter((transfer) => transfer.isFolderUpload === isFolderUpload).length < MAX_PARALLEL;

  const find = (id: string) => uploads().find((upload) => upload.id === id);
  // One that waits without a timer found no free place when its pause ended.
  const isDue = ({ id, state }: Upload) => state === "queued" || (state === "waiting" && !pauses.has(id));

  function startTransfer(id: string, isFolderUpload: boolean): void {
    if (transfers.has(id) || !hasFreeSlot(isFolderUpload)) return;
    const upload = find(id);
    const file = getFile(id);
    if (!upload || !file || !isDue(upload)) return;
    // Before it starts: a transfer may fail at once.
    transfers.set(id, { stop: () => undefined, isFolderUpload });
    dispatch(id, { type: "start" });
    const { name, projectId, accountId, url, target } = upload;
    const transfer = start(
      { file, name, projectId, accountId, url, target: target ?? null },
      {
        created: (createdUrl) => dispatch(id, { type: "created", url: createdUrl }),
        progress: (sent) => dispatch(id, { type: "progress", sent }),
        done: (result) => dispatch(id, { type: "done", ...result }),
        failed: (failure) => dispatch(id, { type: "failure", failure }),
      },
    );
    // It may have ended or been stopped while it began.
    if (transfers.has(id)) transfers.set(id, { stop: () => transfer.stop(), isFolderUpload });
    else transfer.stop();
  }

  function run(): void {
    for (const upload of uploads()) if (isDue(upload)) startTransfer(upload.id, hasTarget(upload));
  }

  return {
    run,
    stop(id) {
      transfers.get(id)?.stop();
      transfers.delete(id);
      clearTimeout(pauses.get(id));
      pauses.delete(id);
    },
    startAfter(id, delayMs) {
      const resume = () => {
        pauses.delete(id);
        run();
      };
      pauses.set(id, setTimeout(resume, delayMs));
    },
  };
}
