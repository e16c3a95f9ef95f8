import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { isForFiles, isMoving, type Chosen, type Upload } from "./upload.ts";
import { uploadsOf } from "./lazy-uploads.ts";
import type { UploadActions } from "./use-uploads.ts";

export interface FileUploads extends UploadActions {
  uploads: readonly Upload[];
  /** Takes files for a project and starts at once. */
  add(to: { accountId: number; projectId: number }, chosen: readonly Chosen[]): void;
  pauseAll(): void;
  /** Goes on with what is paused and tries again what failed. */
  resumeAll(): void;
  /** Gives up all that is not uploaded. */
  cancelAll(): void;
  /** Forgets what is done, and what cannot be done. */
  dismiss(): void;
}

/** The uploads that no message takes along, of all projects, and what may be done with them. */
export function useFileUploads(): FileUploads {
  const queue = uploadsOf(useQueryClient());
  const all = useSyncExternalStore(queue.onChange, queue.uploads);
  const uploads = useMemo(() => all.filter(isForFiles), [all]);
  return useMemo(() => {
    // Those under way last: each place that is freed would begin the next one.
    const inTurn = uploads.toSorted((a, b) => Number(a.state === "uploading") - Number(b.state === "uploading"));
    const each = (holds: (upload: Upload) => boolean, act: (id: string) => void) => inTurn.filter(holds).forEach(({ id }) => act(id));
    return {
      ...queue,
      uploads,
      pauseAll: () => each(isMoving, queue.pause),
      resumeAll: () => each(({ state }) => state === "paused" || state === "failed", queue.resume),
      cancelAll: () => each(({ state }) => state !== "done", queue.cancel),
      dismiss() {
        each(({ state }) => state !== "done", queue.cancel);
        queue.forget(uploads.filter(({ state }) => state === "done").map(({ id }) => id));
      },
    };
  }, [queue, uploads]);
}

/** How many uploads into the files are not there yet, in all projects; what the service never takes does not count. */
export function useUnfinishedCount(): number {
  const { id } = useSession().account;
  const queue = uploadsOf(useQueryClient());
  const isUnfinished = (upload: Upload) =>
    upload.accountId === id && isForFiles(upload) && upload.state !== "done" && (upload.state !== "failed" || upload.retryable);
  return useSyncExternalStore(queue.onChange, () => queue.uploads().filter(isUnfinished).length);
}

/** Whether there are uploads into the files at all. */
export function useSomeUploads(): boolean {
  const queue = uploadsOf(useQueryClient());
  return useSyncExternalStore(queue.onChange, () => queue.uploads().some(isForFiles));
}

/** Takes files for a project and starts at once; who only adds is not told how they get on. */
export const useAddFiles = (): FileUploads["add"] => uploadsOf(useQueryClient()).add;
