import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useService } from "../service/use-service.ts";
import { isForFiles, type Upload } from "./upload.ts";
import { uploadsOf } from "./lazy-uploads.ts";

/** What may be done with one upload. */
export interface UploadActions {
  pause(id: string): void;
  resume(id: string): void;
  cancel(id: string): void;
  giveFile(id: string, file: File): boolean;
  fileOf(id: string): Blob | null;
}

export function useUploadActions(): UploadActions {
  return uploadsOf(useQueryClient());
}

function useUploads(which: (upload: Upload) => boolean): readonly Upload[] {
  const queue = uploadsOf(useQueryClient());
  const all = useSyncExternalStore(queue.onChange, queue.uploads);
  return useMemo(() => all.filter(which), [all, which]);
}

/** The files that stand ready for the next message of a project, and how more are added. */
export function useTray(accountId: number, projectId: number) {
  // Known before the first file is dropped, so that what is too large is refused at once.
  useService();
  const queue = uploadsOf(useQueryClient());
  const inTray = useMemo(() => (upload: Upload) => upload.projectId === projectId && upload.messageId === null && !isForFiles(upload), [projectId]);
  const uploads = useUploads(inTray);
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
  const ofMessage = useMemo(() => (upload: Upload) => upload.messageId === clientId, [clientId]);
  return useUploads(ofMessage);
}
