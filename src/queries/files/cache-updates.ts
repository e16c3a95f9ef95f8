/** Applies files from live events to every cache that shows them, and tracks the progress of processing. */
import { useSyncExternalStore } from "react";
import type { FileProgress } from "../../../contract/events.ts";
import type { Attachment, FileCommon, FileInfoResponse, FileRecord, FileStatus, Message } from "../../../contract/records.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { createEmitter } from "../../lib/store.ts";
import { applyFileEvent } from "../file-lists/cache-updates.ts";
import { commentKeys, type FileComments, withAttachments } from "../comments/comment-list.ts";
import { patchAllHistories, refetchSingleMessages, singleMessageKeys } from "../messages/cache-updates.ts";
import { invalidate, patchDataAndLoads, patchRecordingLoads } from "../query-client.ts";
import {
  isOutdated,
  isProcessing,
  markDeleted,
  replaceVersion,
  updateAttachments,
  withFile,
  withInfoStatus,
  withNameAndStatus,
  withProcessingState,
  withStatus,
} from "./file-updates.ts";

export const fileKeys = {
  all: ["files"] as const,
  /** Everything cached of one file. */
  file: (fileId: number) => ["files", fileId] as const,
  info: (fileId: number) => ["files", fileId, "info"] as const,
  /** The infos of single versions. */
  versions: (fileId: number) => ["files", fileId, "version"] as const,
  /** The states of the texts of its versions, and their pages. */
  texts: (fileId: number) => ["files", fileId, "text"] as const,
  peaks: (fileId: number) => ["files", fileId, "peaks"] as const,
  /** The messages that have it attached. */
  messages: (fileId: number) => ["files", fileId, "messages"] as const,
};

/** Refetches which messages have files attached, after one that has or had some was sent, deleted or restored. */
export function invalidateFileMessages(client: ClientData, { attachments, deleted }: Pick<Message, "attachments" | "deleted">): void {
  for (const { id } of attachments) invalidate(client, fileKeys.messages(id));
  // A deleted message no longer tells what it had.
  if (deleted)
    for (const { queryKey } of client.queryClient.getQueryCache().findAll({ queryKey: fileKeys.all }))
      if (queryKey[2] === "messages") invalidate(client, queryKey);
}

/** Applies an attachment whose version was processed or has failed. */
export function upsertAttachment(client: ClientData, attachment: Attachment): void {
  patchAttachments(client, attachment.id, replaceVersion(attachment));
  if (!isProcessing(attachment.transcoding_status)) client.queryState.processingProgress.end(attachment.id, attachment.version ?? 1);
  // Only the file info contains the processing results.
  invalidate(client, fileKeys.file(attachment.id));
}

/** Refetches the infos of files below a folder, whose paths contain its name. */
function invalidateFilesBelow(client: ClientData, folderId: number): void {
  for (const { queryKey, state } of client.queryClient.getQueryCache().findAll({ queryKey: fileKeys.all })) {
    const info = queryKey[2] === "info" ? (state.data as FileInfoResponse | undefined) : undefined;
    if (info?.common.folders?.some(({ id }) => id === folderId)) invalidate(client, queryKey, true);
  }
}

/** Updates one file's attachments wherever messages and comments show them, and refetches the single messages that have it. */
function patchAttachments(client: ClientData, fileId: number, update: (attachment: Attachment) => Attachment): void {
  patchAllHistories(client, (history) => updateAttachments(history, fileId, update));
  patchRecordingLoads<FileComments>(client, commentKeys.all, (list) => withAttachments(list, fileId, update));
  refetchSingleMessages(
    client,
    singleMessageKeys.all,
    (single) => single !== null && single.attachments.some((attachment) => attachment.id === fileId && update(attachment) !== attachment),
  );
}

/** Applies a file that was created, renamed or moved, or that has a new status or version. */
export function upsertFile(client: ClientData, file: FileRecord): void {
  patchAttachments(client, file.id, withNameAndStatus(file));
  const key = fileKeys.info(file.id);
  const info = client.queryClient.getQueryData<FileInfoResponse>(key);
  if (file.is_folder) invalidateFilesBelow(client, file.id);
  // A page that received "no such file", or sent its request before the change, refetches.
  if (!info) return invalidate(client, key, true);
  patchDataAndLoads<FileInfoResponse>(client, key, (cached) => withFile(cached, file));
  if (isOutdated(info, file)) invalidate(client, fileKeys.file(file.id));
  else if (isTextOutdated(client, file.id)) invalidate(client, fileKeys.texts(file.id));
}

/** Returns whether the file has a text that had not been read, or whose state is being loaded. */
const isTextOutdated = ({ queryClient }: ClientData, fileId: number): boolean =>
  queryClient.getQueriesData<{ state?: string }>({ queryKey: fileKeys.texts(fileId) }).some(([, text]) => text === undefined || text.state === "waiting");

/** Marks a deleted file in its messages, which stay, and refetches its page. */
export function markFileDeleted(client: ClientData, fileId: number): void {
  patchAttachments(client, fileId, markDeleted);
  invalidate(client, fileKeys.file(fileId));
}

/** Refetches everything about a file, as after it was restored. */
export const invalidateFile = (client: ClientData, fileId: number): void => invalidate(client, fileKeys.file(fileId));

/** Shows that a file is processed again, which a request has just started. */
export function applyProcessingState(client: ClientData, file: FileCommon): void {
  patchAttachments(client, file.id, withProcessingState(file));
  void client.queryClient.invalidateQueries({ queryKey: fileKeys.info(file.id), exact: true });
}

/** Sets a file's status in every cache at once. */
export function applyFileStatus(client: ClientData, fileId: number, status: FileStatus | null): void {
  patchAttachments(client, fileId, withStatus(status));
  patchDataAndLoads<FileInfoResponse>(client, fileKeys.info(fileId), (info) => withInfoStatus(info, status));
  applyFileEvent(client, { type: "status", id: fileId, status });
}

/** The processing progress of versions from live signals, outside the query cache. */
export function createProgressStore() {
  const progressByVersion = new Map<string, number>();
  /** How often the processing of a version has ended since the page was loaded. */
  const endCounts = new Map<string, number>();
  const { emit, subscribe } = createEmitter();
  return {
    /** 0 to 1; undefined before the first signal. */
    get: (fileId: number, version: number) => progressByVersion.get(versionKey(fileId, version)),
    update({ file_id, version, progress }: FileProgress) {
      const key = versionKey(file_id, version);
      const clamped = Math.min(1, Math.max(0, progress));
      if (progressByVersion.get(key) === clamped) return;
      progressByVersion.set(key, clamped);
      emit();
    },
    /** Returns a function that tells whether an event has said since this call that a version is not, or no longer, in processing. */
    watchEnds() {
      const countsBefore = new Map(endCounts);
      return (fileId: number, version: number) => endCounts.get(versionKey(fileId, version)) !== countsBefore.get(versionKey(fileId, version));
    },
    /** Notes that a version is not, or no longer, in processing, and removes its progress. */
    end(fileId: number, version: number) {
      endCounts.set(versionKey(fileId, version), (endCounts.get(versionKey(fileId, version)) ?? 0) + 1);
      if (progressByVersion.delete(versionKey(fileId, version))) emit();
    },
    subscribe,
  };
}

const versionKey = (fileId: number, version: number) => `${fileId}:${version}`;

/** Returns the processing progress of a version, 0 to 1; undefined until a signal arrives. */
export function useProgress(fileId: number, version: number): number | undefined {
  const { subscribe, get } = useClient().queryState.processingProgress;
  return useSyncExternalStore(subscribe, () => get(fileId, version));
}

/** Returns the processing progress of a version as a whole percentage, rounded down; undefined until a signal arrives. */
export function useProcessingPercent(fileId: number, version: number): number | undefined {
  const progress = useProgress(fileId, version);
  return progress === undefined ? undefined : Math.floor(progress * 100);
}
