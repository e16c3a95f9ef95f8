import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useService } from "../service/use-service.ts";
import { hasTarget, type Upload } from "./upload.ts";
import { getUploadQueue } from "./lazy-uploads.ts";

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

/** Returns the uploads in the tray for a project's next message, and the function that adds more. */
export function useUploadTray(accountId: number, projectId: number) {
  // Loads the size limit before the first file is dropped, so that a file that is too large is rejected at once.
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

/** Returns the uploads that a message waits for, in order. */
export function useMessageUploads(clientId: string): readonly Upload[] {
  const isOfMessage = useMemo(() => (upload: Upload) => upload.messageId === clientId, [clientId]);
  return useUploads(isOfMessage);
}
