/** Pure changes of what is cached of a file: the attachments of messages that carry it, and its info. */
import {
  fileStatus,
  type Attachment,
  type FileCommon,
  type FileInfoResponse,
  type FileRecord,
  type FileStatus,
  type Message,
} from "../../../contract/records.ts";
import type { History } from "../messages/history.ts";
import { isProcessing } from "./state.ts";

/** Changes the attachments of one file wherever a stretch shows it. A change that returns its argument leaves the stretch as it is. */
export function updateAttachments(history: History, fileId: number, update: (attachment: Attachment) => Attachment): History {
  let hasChanged = false;
  const messages = history.messages.map((message) => {
    if (!message.attachments.some(({ id }) => id === fileId)) return message;
    const attachments = message.attachments.map((attachment) => (attachment.id === fileId ? update(attachment) : attachment));
    if (attachments.every((attachment, index) => attachment === message.attachments[index])) return message;
    hasChanged = true;
    return { ...message, attachments };
  });
  return hasChanged ? { ...history, messages } : history;
}

/** A version as it stands now; messages that carry another version of the file keep theirs. */
export const replaceVersion =
  (updated: Attachment) =>
  (existing: Attachment): Attachment =>
    existing.version === updated.version ? { ...updated, has_unread_comments: existing.has_unread_comments } : existing;

/** The first message of a stretch that carries a file whose processing goes on; null where all is settled. */
export function firstProcessingMessageId(history: History): number | null {
  return history.messages.find(({ attachments }) => attachments.some(({ transcoding_status }) => isProcessing(transcoding_status)))?.id ?? null;
}

/** The stretch with attachments as these messages show them; they were asked for later than what is known. */
export function refreshAttachments(history: History, messages: readonly Message[]): History {
  const latestAttachments = messages.flatMap(({ attachments }) => attachments);
  return latestAttachments.reduce(
    (result, attachment) =>
      updateAttachments(result, attachment.id, (existing) =>
        JSON.stringify(existing) === JSON.stringify(attachment) ? existing : replaceVersion(attachment)(existing),
      ),
    history,
  );
}

/** The status that an attachment tells of its file; undefined where the service tells none. */
export const attachmentStatus = ({ status, audio }: Attachment): FileStatus | null | undefined => (status === undefined ? audio?.status : status);

/** Another status of the file, where an attachment tells one. */
export const withStatus =
  (status: FileStatus | null) =>
  (existing: Attachment): Attachment => {
    const current = attachmentStatus(existing);
    if (current === undefined || isSameStatus(current, status)) return existing;
    return { ...existing, ...(existing.status === undefined ? {} : { status }), ...(existing.audio ? { audio: { ...existing.audio, status } } : {}) };
  };

/** What belongs to the file and not to one of its versions: its name and its status. */
export const withNameAndStatus =
  (file: FileRecord) =>
  (existing: Attachment): Attachment => {
    const status = parseStatus(file);
    const renamed = existing.name === file.name ? existing : { ...existing, name: file.name };
    return status === undefined ? renamed : withStatus(status)(renamed);
  };

/** The version that is processed anew; another version of the file keeps its state. */
export const withProcessingState =
  (common: FileCommon) =>
  (existing: Attachment): Attachment =>
    common["version"] === undefined || existing.version === common["version"]
      ? { ...existing, transcoding_status: common.transcoding_status, failure: parseFailure(common["failure"]) }
      : existing;

/** The file is gone; the message that carried it stays. */
export const markDeleted = (existing: Attachment): Attachment => (isDeleted(existing) ? existing : { ...existing, deleted: true });

/** Extension: the file of this attachment was deleted. */
export const isDeleted = ({ deleted }: Attachment): boolean => deleted === true;

/** The info with another status; an answer without one says null. */
export function withInfoStatus(info: FileInfoResponse | undefined, status: FileStatus | null): FileInfoResponse | undefined {
  if (!info || isSameStatus(info.common.status, status)) return info;
  return { ...info, common: { ...info.common, status } };
}

/** The info after its file was renamed or got another status. */
export function withFile(info: FileInfoResponse | undefined, file: FileRecord): FileInfoResponse | undefined {
  if (!info) return info;
  const renamed = info.common.name === file.name ? info : { ...info, common: { ...info.common, name: file.name } };
  const status = parseStatus(file);
  return status === undefined ? renamed : withInfoStatus(renamed, status);
}

/** Whether the record stands for other bytes, another state of processing, another tempo or key than the info: then the info must be fetched again. */
export function isOutdated(info: FileInfoResponse, file: FileRecord): boolean {
  const { common } = info;
  return (
    differs(file["version"], common["version"]) ||
    differs(file["transcoding_status"], common.transcoding_status) ||
    (info.file_info.object === "audio_file_info" && (differs(file["bpm"], info.file_info["bpm"]) || differs(file["key"], info.file_info["key"])))
  );
}

/** Told, and not the same. */
const differs = (received: unknown, existing: unknown) => received !== undefined && received !== existing;

const parseFailure = (failure: unknown): string | null => (typeof failure === "string" ? failure : null);

/** undefined where the service tells no status with a file. */
function parseStatus(file: FileRecord): FileStatus | null | undefined {
  if (file["status"] === null) return null;
  const result = fileStatus.safeParse(file["status"]);
  return result.success ? result.data : undefined;
}

/** Whether both show the same. */
export function isSameStatus(a: FileStatus | null, b: FileStatus | null): boolean {
  return a === b || (a !== null && b !== null && a.id === b.id && a.title === b.title && a.color === b.color);
}
