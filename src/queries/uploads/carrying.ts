/** Carries uploads a few at a time: starts them as places are free and waits out their pauses. */
import type { UploadListener, UploadWish } from "../../api/uploads.ts";
import { isForFiles, type Happening, type Upload } from "./upload.ts";

export interface CarryingDeps {
  start(wish: UploadWish, listener: UploadListener): { stop(): void };
  uploads(): readonly Upload[];
  fileOf(id: string): Blob | undefined;
  happen(id: string, happening: Happening): void;
}

export interface Carrying {
  /** Starts what may go out now. */
  run(): void;
  /** Stops an upload's transfer and its pause, whichever there is. */
  end(id: string): void;
  /** Starts the upload once this time is over, unless it is ended or started before. */
  pause(id: string, pauseMs: number): void;
}

/** More at once only share the same line. A message's files and those of folders do not wait for one another. */
const PARALLEL = 3;

export function createCarrying({ start, uploads, fileOf, happen }: CarryingDeps): Carrying {
  const transfers = new Map<string, { stop(): void; ofFolder: boolean }>();
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  const isFree = (ofFolder: boolean) => [...transfers.values()].filter((one) => one.ofFolder === ofFolder).length < PARALLEL;

  const find = (id: string) => uploads().find((upload) => upload.id === id);
  // One that waits without a timer found no free place when its pause ended.
  const isDue = ({ id, state }: Upload) => state === "queued" || (state === "waiting" && !pauses.has(id));

  function begin(id: string, ofFolder: boolean): void {
    if (transfers.has(id) || !isFree(ofFolder)) return;
    const upload = find(id);
    const file = fileOf(id);
    if (!upload || !file || !isDue(upload)) return;
    // Before it starts: a transfer may fail at once.
    transfers.set(id, { stop: () => undefined, ofFolder });
    happen(id, { type: "start" });
    const { name, projectId, accountId, url, target } = upload;
    const transfer = start(
      { file, name, projectId, accountId, url, target: target ?? null },
      {
        created: (to) => happen(id, { type: "created", url: to }),
        progress: (sent) => happen(id, { type: "progress", sent }),
        done: (result) => happen(id, { type: "done", ...result }),
        failed: (failure) => happen(id, { type: "failure", failure }),
      },
    );
    // It may have ended or been stopped while it began.
    if (transfers.has(id)) transfers.set(id, { stop: () => transfer.stop(), ofFolder });
    else transfer.stop();
  }

  function run(): void {
    for (const upload of uploads()) if (isDue(upload)) begin(upload.id, isForFiles(upload));
  }

  return {
    run,
    end(id) {
      transfers.get(id)?.stop();
      transfers.delete(id);
      clearTimeout(pauses.get(id));
      pauses.delete(id);
    },
    pause(id, pauseMs) {
      const resume = () => {
        pauses.delete(id);
        run();
      };
      pauses.set(id, setTimeout(resume, pauseMs));
    },
  };
}
