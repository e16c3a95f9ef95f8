/** Pure changes of what is cached of a file: the attachments of messages that carry it, and its info. */
import {
  fileStatus,
  type Attachment,
  type FileCommon,
  type FileInfoAnswer,
  type FileRecord,
  type FileStatus,
  type Message,
} from "../../../contract/records.ts";
import type { History } from "../messages/history.ts";
import { isUnderWay } from "./state.ts";

/** Changes the attachments of one file wherever a stretch shows it. A change that returns its argument leaves the stretch as it is. */
export function changeAttachments(history: History, fileId: number, change: (attachment: Attachment) => Attachment): History {
  let changed = false;
  const messages = history.messages.map((message) => {
    if (!message.attachments.some(({ id }) => id === fileId)) return message;
    const attachments = message.attachments.map((one) => (one.id === fileId ? change(one) : one));
    if (attachments.every((one, index) => one === message.attachments[index])) return message;
    changed = true;
    return { ...message, attachments };
  });
  return changed ? { ...history, messages } : history;
}

/** A version as it stands now; messages that carry another version of the file keep theirs. */
export const replaceVersion =
  (now: Attachment) =>
  (known: Attachment): Attachment =>
    known.version === now.version ? { ...now, has_unread_comments: known.has_unread_comments } : known;

/** The first message of a stretch that carries a file whose processing goes on; null where all is settled. */
export function oldestUnsettled(history: History): number | null {
  return history.messages.find(({ attachments }) => attachments.some(({ transcoding_status }) => isUnderWay(transcoding_status)))?.id ?? null;
}

/** The stretch with attachments as these messages show them; they were asked for later than what is known. */
export function refreshAttachments(history: History, messages: readonly Message[]): History {
  const carried = messages.flatMap(({ attachments }) => attachments);
  return carried.reduce(
    (known, attachment) =>
      changeAttachments(known, attachment.id, (one) => (JSON.stringify(one) === JSON.stringify(attachment) ? one : replaceVersion(attachment)(one))),
    history,
  );
}

/** The status that an attachment tells of its file; undefined where the service tells none. */
export const statusOf = ({ status, audio }: Attachment): FileStatus | null | undefined => (status === undefined ? audio?.status : status);

/** Another status of the file, where an attachment tells one. */
export const withStatus =
  (status: FileStatus | null) =>
  (known: Attachment): Attachment => {
    const before = statusOf(known);
    if (before === undefined || isSameStatus(before, status)) return known;
    return { ...known, ...(known.status === undefined ? {} : { status }), ...(known.audio ? { audio: { ...known.audio, status } } : {}) };
  };

/** What belongs to the file and not to one of its versions: its name and its status. */
export const withFacts =
  (file: FileRecord) =>
  (known: Attachment): Attachment => {
    const status = statusIn(file);
    const named = known.name === file.name ? known : { ...known, name: file.name };
    return status === undefined ? named : withStatus(status)(named);
  };

/** The version that is processed anew; another version of the file keeps its state. */
export const withState =
  (now: FileCommon) =>
  (known: Attachment): Attachment =>
    now["version"] === undefined || known.version === now["version"]
      ? { ...known, transcoding_status: now.transcoding_status, failure: failureIn(now["failure"]) }
      : known;

/** The file is gone; the message that carried it stays. */
export const markDeleted = (known: Attachment): Attachment => (isDeleted(known) ? known : { ...known, deleted: true });

/** Extension: the file of this attachment was deleted. */
export const isDeleted = ({ deleted }: Attachment): boolean => deleted === true;

/** The info with another status; an answer without one says null. */
export function withInfoStatus(info: FileInfoAnswer | undefined, status: FileStatus | null): FileInfoAnswer | undefined {
  if (!info || isSameStatus(info.common.status, status)) return info;
  return { ...info, common: { ...info.common, status } };
}

/** The info after its file was renamed or got another status. */
export function withFile(info: FileInfoAnswer | undefined, file: FileRecord): FileInfoAnswer | undefined {
  if (!info) return info;
  const named = info.common.name === file.name ? info : { ...info, common: { ...info.common, name: file.name } };
  const status = statusIn(file);
  return status === undefined ? named : withInfoStatus(named, status);
}

/** Whether the record stands for other bytes, another state of processing, another tempo or key than the info: then the info must be fetched again. */
export function isOutdated(info: FileInfoAnswer, file: FileRecord): boolean {
  const { common } = info;
  return (
    isOther(file["version"], common["version"]) ||
    isOther(file["transcoding_status"], common.transcoding_status) ||
    (info.file_info.object === "audio_file_info" && (isOther(file["bpm"], info.file_info["bpm"]) || isOther(file["key"], info.file_info["key"])))
  );
}

/** Told, and not the same. */
const isOther = (told: unknown, known: unknown) => told !== undefined && told !== known;

const failureIn = (failure: unknown): string | null => (typeof failure === "string" ? failure : null);

/** undefined where the service tells no status with a file. */
function statusIn(file: FileRecord): FileStatus | null | undefined {
  if (file["status"] === null) return null;
  const result = fileStatus.safeParse(file["status"]);
  return result.success ? result.data : undefined;
}

/** Whether both show the same. */
export function isSameStatus(a: FileStatus | null, b: FileStatus | null): boolean {
  return a === b || (a !== null && b !== null && a.id === b.id && a.title === b.title && a.color === b.color);
}
