import { use, useEffect, useMemo, useSyncExternalStore } from "react";
import { loadTransferCode } from "../../api/uploads.ts";
import { useClient } from "../../client/client.ts";
import { t as tArchived } from "../../lib/texts/archived.ts";
import { t } from "../../lib/texts/uploads.ts";
import { ArchivedContext, useCan } from "../../queries/permissions.ts";
import { useHasFeature, useService } from "../../queries/service.ts";
import { useSession } from "../../queries/session.ts";
import type { UploadQueue } from "./upload-queue.ts";
import { type CommentDraftTarget, isFilesViewUpload, isActive, isAtRisk, repliedCommentId, type Upload } from "./upload.ts";

export type UploadActions = Pick<UploadQueue, "pause" | "resume" | "cancel" | "provideFile" | "getFile">;

/** Returns a value of all uploads and renders when it changes. */
function useUploadsValue<T>(select: (uploads: readonly Upload[]) => T): T {
  const queue = useClient().uploads;
  return useSyncExternalStore(queue.onChange, () => select(queue.uploads()));
}

function useUploads(predicate: (upload: Upload) => boolean): readonly Upload[] {
  const all = useUploadsValue((uploads) => uploads);
  return useMemo(() => all.filter(predicate), [all, predicate]);
}

/** Returns the uploads in the tray for a project's next message, or for an unsent comment, and the function that adds more. */
export function useUploadTray(accountId: number, projectId: number, draft: CommentDraftTarget | null = null) {
  // Loads the size limit before the first file is dropped, so that a file that is too large is rejected at once.
  useService();
  const queue = useClient().uploads;
  const isInTray = useMemo(
    () => (upload: Upload) => upload.projectId === projectId && upload.messageId === null && !isFilesViewUpload(upload) && (upload.draft ?? null) === draft,
    [projectId, draft],
  );
  const uploads = useUploads(isInTray);
  return {
    uploads,
    add: (files: readonly File[]) =>
      queue.add(
        { accountId, projectId, draft },
        files.map((file) => ({ file, target: null })),
      ),
  };
}

/** Returns the files of an unsent comment or reply, whatever its project. */
export function useDraftUploads(draft: CommentDraftTarget): readonly Upload[] {
  return useUploads(useMemo(() => (upload: Upload) => upload.messageId === null && upload.draft === draft, [draft]));
}

/** Returns the ids of the comments whose unsent replies have files. */
export function useRepliesWithFiles(): ReadonlySet<number> {
  // Joined, so that progress renders nothing.
  const joined = useUploadsValue((uploads) => [...new Set(uploads.flatMap((upload) => repliedCommentId(upload) ?? []))].join());
  return useMemo(() => new Set(joined === "" ? [] : joined.split(",").map(Number)), [joined]);
}

/** Returns the uploads that a message waits for, in order. */
export function useMessageUploads(clientId: string): readonly Upload[] {
  const isOfMessage = useMemo(() => (upload: Upload) => upload.messageId === clientId, [clientId]);
  return useUploads(isOfMessage);
}

export type FilesViewUploads = ReturnType<typeof useFilesViewUploads>;

/** Returns the uploads of all projects that go into the files view instead of a message, with the actions on them. */
export function useFilesViewUploads() {
  const queue = useClient().uploads;
  const uploads = useUploads(isFilesViewUpload);
  return useMemo(() => {
    // Uploads in progress come last, since each freed slot would start the next one.
    const ordered = uploads.toSorted((a, b) => Number(a.state === "uploading") - Number(b.state === "uploading"));
    const forEachWhere = (predicate: (upload: Upload) => boolean, action: (id: string) => void) => ordered.filter(predicate).forEach(({ id }) => action(id));
    const cancelAll = () => queue.cancel(...uploads.filter(({ state }) => state !== "done").map(({ id }) => id));
    return {
      ...queue,
      uploads,
      pauseAll: () => forEachWhere(isActive, queue.pause),
      /** Resumes paused uploads and retries failed ones. */
      resumeAll: () => forEachWhere(({ state }) => state === "paused" || state === "failed", queue.resume),
      /** Cancels every unfinished upload. */
      cancelAll,
      /** Drops finished uploads and cancels all others. */
      dismiss() {
        cancelAll();
        queue.remove(uploads.filter(({ state }) => state === "done").map(({ id }) => id));
      },
    };
  }, [queue, uploads]);
}

/** Returns the number of unfinished uploads into the files view of all projects, without those that the service will never accept. */
export function useUnfinishedUploadCount(): number {
  const { id } = useSession().account;
  const isUnfinished = (upload: Upload) =>
    upload.accountId === id && isFilesViewUpload(upload) && upload.state !== "done" && (upload.state !== "failed" || upload.isRetryable);
  return useUploadsValue((uploads) => uploads.filter(isUnfinished).length);
}

/** Returns whether there are uploads into the files view at all. */
export const useHasFilesViewUploads = (): boolean => useUploadsValue((uploads) => uploads.some(isFilesViewUpload));

/** Returns whether leaving the page would lose bytes that are still to be uploaded. */
export const useHasUploadsAtRisk = (): boolean => useUploadsValue((uploads) => uploads.some(isAtRisk));

/** Returns why files cannot be uploaded here, as text; null when they can, or while that is unknown. */
export function useUploadDisabledReason(): string | null {
  const isArchived = use(ArchivedContext);
  const canUpload = useCan("file.create");
  const hasUploads = useHasFeature("uploads");
  // Loads the code before the first file is chosen, so that its upload can wait for a lost connection.
  useEffect(() => void loadTransferCode().catch(() => undefined), []);
  if (isArchived) return tArchived("isArchived");
  if (!canUpload) return t("roleCannotUpload");
  return hasUploads ? null : t("uploadsUnavailable");
}
