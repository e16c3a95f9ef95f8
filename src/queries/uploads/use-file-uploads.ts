import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { hasTarget, isActive, type FileToUpload, type Upload } from "./upload.ts";
import { getUploadQueue } from "./lazy-uploads.ts";
import type { UploadActions } from "./use-uploads.ts";

export interface FileUploads extends UploadActions {
  uploads: readonly Upload[];
  /** Takes files for a project and starts at once. */
  add(to: { accountId: number; projectId: number }, files: readonly FileToUpload[]): void;
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
  const queue = getUploadQueue(useQueryClient());
  const all = useSyncExternalStore(queue.onChange, queue.uploads);
  const uploads = useMemo(() => all.filter(hasTarget), [all]);
  return useMemo(() => {
    // Those under way last: each place that is freed would begin the next one.
    const ordered = uploads.toSorted((a, b) => Number(a.state === "uploading") - Number(b.state === "uploading"));
    const forEachWhere = (predicate: (upload: Upload) => boolean, action: (id: string) => void) => ordered.filter(predicate).forEach(({ id }) => action(id));
    return {
      ...queue,
      uploads,
      pauseAll: () => forEachWhere(isActive, queue.pause),
      resumeAll: () => forEachWhere(({ state }) => state === "paused" || state === "failed", queue.resume),
      cancelAll: () => forEachWhere(({ state }) => state !== "done", queue.cancel),
      dismiss() {
        forEachWhere(({ state }) => state !== "done", queue.cancel);
        queue.forget(uploads.filter(({ state }) => state === "done").map(({ id }) => id));
      },
    };
  }, [queue, uploads]);
}

/** How many uploads into the files are not there yet, in all projects; what the service never takes does not count. */
export function useUnfinishedUploadCount(): number {
  const { id } = useSession().account;
  const queue = getUploadQueue(useQueryClient());
  const isUnfinished = (upload: Upload) =>
    upload.accountId === id && hasTarget(upload) && upload.state !== "done" && (upload.state !== "failed" || upload.retryable);
  return useSyncExternalStore(queue.onChange, () => queue.uploads().filter(isUnfinished).length);
}

/** Whether there are uploads into the files at all. */
export function useHasFileUploads(): boolean {
  const queue = getUploadQueue(useQueryClient());
  return useSyncExternalStore(queue.onChange, () => queue.uploads().some(hasTarget));
}

/** Takes files for a project and starts at once; who only adds is not told how they get on. */
export const useAddFiles = (): FileUploads["add"] => getUploadQueue(useQueryClient()).add;
