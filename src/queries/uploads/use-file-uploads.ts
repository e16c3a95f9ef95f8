import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { hasTarget, isActive, type FileToUpload, type Upload } from "./upload.ts";
import { getUploadQueue } from "./lazy-uploads.ts";
import type { UploadActions } from "./use-uploads.ts";

export interface FileUploads extends UploadActions {
  uploads: readonly Upload[];
  /** Adds files for a project and starts at once. */
  add(to: { accountId: number; projectId: number }, files: readonly FileToUpload[]): void;
  pauseAll(): void;
  /** Resumes paused uploads and retries failed ones. */
  resumeAll(): void;
  /** Cancels every unfinished upload. */
  cancelAll(): void;
  /** Drops finished uploads and cancels all others. */
  dismiss(): void;
}

/** Returns the uploads of all projects that go into the files instead of a message, with the actions on them. */
export function useFileUploads(): FileUploads {
  const queue = getUploadQueue(useQueryClient());
  const all = useSyncExternalStore(queue.onChange, queue.uploads);
  const uploads = useMemo(() => all.filter(hasTarget), [all]);
  return useMemo(() => {
    // Uploads in progress come last, since each freed slot would start the next one.
    const ordered = uploads.toSorted((a, b) => Number(a.state === "uploading") - Number(b.state === "uploading"));
    const forEachWhere = (predicate: (upload: Upload) => boolean, action: (id: string) => void) => ordered.filter(predicate).forEach(({ id }) => action(id));
    const cancelAll = () => queue.cancel(...uploads.filter(({ state }) => state !== "done").map(({ id }) => id));
    return {
      ...queue,
      uploads,
      pauseAll: () => forEachWhere(isActive, queue.pause),
      resumeAll: () => forEachWhere(({ state }) => state === "paused" || state === "failed", queue.resume),
      cancelAll,
      dismiss() {
        cancelAll();
        queue.forget(uploads.filter(({ state }) => state === "done").map(({ id }) => id));
      },
    };
  }, [queue, uploads]);
}

/** Returns the number of unfinished uploads into the files of all projects, without those that the service will never accept. */
export function useUnfinishedUploadCount(): number {
  const { id } = useSession().account;
  const queue = getUploadQueue(useQueryClient());
  const isUnfinished = (upload: Upload) =>
    upload.accountId === id && hasTarget(upload) && upload.state !== "done" && (upload.state !== "failed" || upload.retryable);
  return useSyncExternalStore(queue.onChange, () => queue.uploads().filter(isUnfinished).length);
}

/** Returns whether there are uploads into the files at all. */
export function useHasFileUploads(): boolean {
  const queue = getUploadQueue(useQueryClient());
  return useSyncExternalStore(queue.onChange, () => queue.uploads().some(hasTarget));
}

/** Returns the function that adds files; its caller does not render again on progress. */
export const useAddFiles = (): FileUploads["add"] => getUploadQueue(useQueryClient()).add;
