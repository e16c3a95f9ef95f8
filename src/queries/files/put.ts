/** Applies files from live events to every cache that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Attachment, FileInfoResponse, FileRecord, FileStatus } from "../../../contract/records.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { invalidate } from "../renew.ts";
import { updateAttachments, isOutdated, markDeleted, replaceVersion, withNameAndStatus, withFile, withInfoStatus, withStatus } from "./cache.ts";
import { fileKeys } from "./keys.ts";
import { emitFileEvent } from "./news.ts";
import { getProgressStore } from "./progress.ts";
import { isProcessing } from "./state.ts";

/** Applies an attachment whose version was processed or has failed. */
export function upsertAttachment(client: QueryClient, attachment: Attachment): void {
  patchAllHistories(client, (history) => updateAttachments(history, attachment.id, replaceVersion(attachment)));
  if (!isProcessing(attachment.transcoding_status)) getProgressStore(client).remove(attachment.id, attachment.version ?? 1);
  // Only the file info contains the processing results.
  void client.invalidateQueries({ queryKey: fileKeys.file(attachment.id) });
}

/** Applies a file that was created, renamed or moved, or that has a new status or version. */
export function upsertFile(client: QueryClient, file: FileRecord): void {
  patchAllHistories(client, (history) => updateAttachments(history, file.id, withNameAndStatus(file)));
  const key = fileKeys.info(file.id);
  const info = client.getQueryData<FileInfoResponse>(key);
  // A page that received "no such file", or sent its request before the change, refetches.
  if (!info) return invalidate(client, key, true);
  client.setQueryData(key, withFile(info, file));
  if (isOutdated(info, file)) void client.invalidateQueries({ queryKey: fileKeys.file(file.id) });
}

/** Marks a deleted file in its messages, which stay, and refetches its page. */
export function markFileDeleted(client: QueryClient, fileId: number): void {
  patchAllHistories(client, (history) => updateAttachments(history, fileId, markDeleted));
  void client.invalidateQueries({ queryKey: fileKeys.file(fileId) });
}

/** Sets a file's status in every cache at once. */
export function applyFileStatus(client: QueryClient, fileId: number, status: FileStatus | null): void {
  patchAllHistories(client, (history) => updateAttachments(history, fileId, withStatus(status)));
  client.setQueryData<FileInfoResponse>(fileKeys.info(fileId), (info) => withInfoStatus(info, status));
  emitFileEvent(client, { type: "status", id: fileId, status });
}
