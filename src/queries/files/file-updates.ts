/** Pure updates of a file's cached data: its info, the attachments of messages, and their status and processing state. */
import type { FileEntry } from "../../../contract/file-records.ts";
import {
  type Attachment,
  type FileCommon,
  type FileInfoResponse,
  type FileRecord,
  fileStatus,
  type FileStatus,
  type Message,
} from "../../../contract/records.ts";
import type { History } from "../messages/history.ts";

/** A change of a file that every file list applies. */
export type FileEvent =
  | { type: "created" | "updated"; entry: FileEntry }
  /** Includes everything below a folder. */
  | { type: "deleted"; id: number }
  /** Set here before the service has confirmed it. */
  | { type: "status"; id: number; status: FileStatus | null }
  /** Whether the file has comments that the user has not read. */
  | { type: "unread"; id: number; hasUnread: boolean };

/** Updates a window's attachments; an update that returns its argument leaves the window unchanged. */
export function mapAttachments(history: History, update: (attachment: Attachment) => Attachment): History {
  const messages = history.messages.map((message) => {
    const attachments = message.attachments.map(update);
    return attachments.every((attachment, index) => attachment === message.attachments[index]) ? message : { ...message, attachments };
  });
  return messages.every((message, index) => message === history.messages[index]) ? history : { ...history, messages };
}

/** Updates one file's attachments wherever a window shows them. */
export const updateAttachments = (history: History, fileId: number, update: (attachment: Attachment) => Attachment): History =>
  mapAttachments(history, (attachment) => (attachment.id === fileId ? update(attachment) : attachment));

/** Replaces an attachment by the same version's current state; messages with another version of the file keep theirs. */
export const replaceVersion =
  (updated: Attachment) =>
  (existing: Attachment): Attachment =>
    existing.version === updated.version ? { ...updated, has_unread_comments: existing.has_unread_comments } : existing;

/** Returns the id of the first message in a window with a file in processing; null when none is. */
export function firstProcessingMessageId(history: History): number | null {
  return history.messages.find(({ attachments }) => attachments.some(({ transcoding_status }) => isProcessing(transcoding_status)))?.id ?? null;
}

/** Returns all attachments of a window. */
export const attachmentsOf = ({ messages }: History): Attachment[] => messages.flatMap(({ attachments }) => attachments);

/** Updates a window's attachments from a response. One that is not in `attachmentsAtRequest` has changed meanwhile and may be newer, so it stays. */
export function refreshAttachments(history: History, messages: readonly Message[], attachmentsAtRequest: ReadonlySet<Attachment>): History {
  const latestAttachments = messages.flatMap(({ attachments }) => attachments);
  return latestAttachments.reduce(
    (result, attachment) =>
      updateAttachments(result, attachment.id, (existing) =>
        !attachmentsAtRequest.has(existing) || JSON.stringify(existing) === JSON.stringify(attachment) ? existing : replaceVersion(attachment)(existing),
      ),
    history,
  );
}

/** Returns the file status of an attachment; undefined when the service reports none. */
export const attachmentStatus = ({ status, audio }: Attachment): FileStatus | null | undefined => (status === undefined ? audio?.status : status);

/** Sets the file status of an attachment that reports one. */
export const withStatus =
  (status: FileStatus | null) =>
  (existing: Attachment): Attachment => {
    const current = attachmentStatus(existing);
    if (current === undefined || isSameStatus(current, status)) return existing;
    return { ...existing, ...(existing.status === undefined ? {} : { status }), ...(existing.audio ? { audio: { ...existing.audio, status } } : {}) };
  };

/** Applies name and status, which belong to the file and not to one of its versions. */
export const withNameAndStatus =
  (file: FileRecord) =>
  (existing: Attachment): Attachment => {
    const status = parseStatus(file);
    const renamed = existing.name === file.name ? existing : { ...existing, name: file.name };
    return status === undefined ? renamed : withStatus(status)(renamed);
  };

/** Sets the processing state of the version in processing; other versions keep theirs. */
export const withProcessingState =
  (common: FileCommon) =>
  (existing: Attachment): Attachment =>
    common["version"] === undefined || existing.version === common["version"]
      ? { ...existing, transcoding_status: common.transcoding_status, failure: parseFailure(common["failure"]) }
      : existing;

/** Marks an attachment's file as deleted; its message stays. */
export const markDeleted = (existing: Attachment): Attachment => (isDeleted(existing) ? existing : { ...existing, deleted: true });

/** Extension: the file of this attachment was deleted. */
export const isDeleted = ({ deleted }: Attachment): boolean => deleted === true;

/** Sets the status in a file's info; a response without a status has null. */
export function withInfoStatus(info: FileInfoResponse | undefined, status: FileStatus | null): FileInfoResponse | undefined {
  if (!info || isSameStatus(info.common.status, status)) return info;
  return { ...info, common: { ...info.common, status } };
}

/** Updates the info after its file was renamed or got another status. */
export function withFile(info: FileInfoResponse | undefined, file: FileRecord): FileInfoResponse | undefined {
  if (!info) return info;
  const renamed = info.common.name === file.name ? info : { ...info, common: { ...info.common, name: file.name } };
  const status = parseStatus(file);
  return status === undefined ? renamed : withInfoStatus(renamed, status);
}

/** Returns whether the record has other bytes, another folder, processing state, tempo or key than the info, which must then be refetched. */
export function isOutdated(info: FileInfoResponse, file: FileRecord): boolean {
  const { common } = info;
  return (
    differs(file["version"], common["version"]) ||
    (common["parent_id"] !== undefined && differs(file.parent_id, common["parent_id"])) ||
    differs(file["transcoding_status"], common.transcoding_status) ||
    (info.file_info.object === "audio_file_info" && (differs(file["bpm"], info.file_info["bpm"]) || differs(file["key"], info.file_info["key"])))
  );
}

/** Returns true for a reported value that differs. */
const differs = (received: unknown, existing: unknown) => received !== undefined && received !== existing;

const parseFailure = (failure: unknown): string | null => (typeof failure === "string" ? failure : null);

/** Returns undefined when the service reports no status with a file. */
function parseStatus(file: FileRecord): FileStatus | null | undefined {
  if (file["status"] === null) return null;
  const result = fileStatus.safeParse(file["status"]);
  return result.success ? result.data : undefined;
}

/** Returns whether both statuses look the same. */
export function isSameStatus(a: FileStatus | null, b: FileStatus | null): boolean {
  return a === b || (a !== null && b !== null && a.id === b.id && a.title === b.title && a.color === b.color);
}

/** Returns true while processing continues by itself; the list of states is open, and an unknown state counts as done. */
export const isProcessing = (transcodingStatus: string): boolean => transcodingStatus === "waiting" || transcodingStatus === "transcoding";

export const hasFailed = (transcodingStatus: string): boolean => transcodingStatus === "failed";
