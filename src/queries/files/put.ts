/** What the live channel tells of files goes into every place of the cache that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Attachment, FileInfoResponse, FileRecord, FileStatus } from "../../../contract/records.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { invalidate } from "../renew.ts";
import { updateAttachments, isOutdated, markDeleted, replaceVersion, withNameAndStatus, withFile, withInfoStatus, withStatus } from "./cache.ts";
import { fileKeys } from "./keys.ts";
import { emitFileEvent } from "./news.ts";
import { getProgressStore } from "./progress.ts";
import { isProcessing } from "./state.ts";

/** A version was processed, or failed. */
export function upsertAttachment(client: QueryClient, attachment: Attachment): void {
  patchAllHistories(client, (history) => updateAttachments(history, attachment.id, replaceVersion(attachment)));
  if (!isProcessing(attachment.transcoding_status)) getProgressStore(client).remove(attachment.id, attachment.version ?? 1);
  // What was found in the file is told by its info alone.
  void client.invalidateQueries({ queryKey: fileKeys.file(attachment.id) });
}

/** A file came, or was renamed, moved, given a status or a new version. */
export function upsertFile(client: QueryClient, file: FileRecord): void {
  patchAllHistories(client, (history) => updateAttachments(history, file.id, withNameAndStatus(file)));
  const key = fileKeys.info(file.id);
  const info = client.getQueryData<FileInfoResponse>(key);
  // A page that was told "no such file", or asked before the change, asks again.
  if (!info) return invalidate(client, key, true);
  client.setQueryData(key, withFile(info, file));
  if (isOutdated(info, file)) void client.invalidateQueries({ queryKey: fileKeys.file(file.id) });
}

/** A file was deleted: its messages stay and say so; its page asks again and is told. */
export function markFileDeleted(client: QueryClient, fileId: number): void {
  patchAllHistories(client, (history) => updateAttachments(history, fileId, markDeleted));
  void client.invalidateQueries({ queryKey: fileKeys.file(fileId) });
}

/** Shows a file's status everywhere at once. */
export function applyFileStatus(client: QueryClient, fileId: number, status: FileStatus | null): void {
  patchAllHistories(client, (history) => updateAttachments(history, fileId, withStatus(status)));
  client.setQueryData<FileInfoResponse>(fileKeys.info(fileId), (info) => withInfoStatus(info, status));
  emitFileEvent(client, { type: "status", id: fileId, status });
}
