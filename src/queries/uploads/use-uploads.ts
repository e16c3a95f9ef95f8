import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useService } from "../service/use-service.ts";
import { hasTarget, type Upload } from "./upload.ts";
import { getUploadQueue } from "./lazy-uploads.ts";

/** What may be done with one upload. */
export interface UploadActions {
  pause(id: string): void;
  resume(id: string): void;
  cancel(id: string): void;
  provideFile(id: string, file: File): boolean;
  getFile(id: string): Blob | null;
}

export function useUploadActions(): UploadActions {
  return getUploadQueue(useQueryClient());
}

function useUploads(predicate: (upload: Upload) => boolean): readonly Upload[] {
  const queue = getUploadQueue(useQueryClient());
  const all = useSyncExternalStore(queue.onChange, queue.uploads);
  return useMemo(() => all.filter(predicate), [all, predicate]);
}

/** The files that stand ready for the next message of a project, and how more are added. */
export function useUploadTray(accountId: number, projectId: number) {
  // Known before the first file is dropped, so that what is too large is refused at once.
  useService();
  const queue = getUploadQueue(useQueryClient());
  const isInTray = useMemo(() => (upload: Upload) => upload.projectId === projectId && upload.messageId === null && !hasTarget(upload), [projectId]);
  const uploads = useUploads(isInTray);
  return {
    uploads,
    add: (files: readonly File[]) =>
      queue.add(
        { accountId, projectId },
        files.map((file) => ({ file, target: null })),
      ),
  };
}

/** The uploads that a message waits for, in its order. */
export function useMessageUploads(clientId: string): readonly Upload[] {
  const isOfMessage = useMemo(() => (upload: Upload) => upload.messageId === clientId, [clientId]);
  return useUploads(isOfMessage);
}
