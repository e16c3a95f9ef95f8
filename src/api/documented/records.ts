/**
 * Reads the records of the service document (`contract/records.ts`) tolerantly, whichever service sent them: what is missing, null or of another type is
 * filled in where the meaning is clear, and the result always has the documented types. Unknown members stay; a member that this project adds is dropped
 * if it has another type than ours. 0 stands for an unknown id.
 */
import type * as z from "zod/mini";
import * as records from "../../../contract/records.ts";
import { kindOfName } from "../../lib/file-extension.ts";
import { t } from "../../lib/texts/documented.ts";
import { markUnknown, NO_TIME } from "../../lib/unknown-members.ts";
import {
  type JsonRecord,
  toAmount,
  toArray,
  toBoolean,
  toKnownBoolean,
  toCount,
  toId,
  toInteger,
  toName,
  toNumber,
  toRecord,
  toTagScores,
  toText,
  toTimestamp,
  toUrl,
  toWave,
} from "./values.ts";

export interface ObjectSchema {
  shape: Readonly<Record<string, z.ZodMiniType>>;
}

/** Returns the record without optional members of another type than the schema has for them; `documented` are members that are read one by one. */
export function withValidMembers(record: JsonRecord, schema: ObjectSchema, documented: JsonRecord): JsonRecord {
  const { unknown_members: _, ...result } = record;
  for (const [name, member] of Object.entries(schema.shape)) {
    if (!(name in record) || name in documented) continue;
    const parsed = member.safeParse(record[name]);
    if (parsed.success) result[name] = parsed.data;
    else delete result[name];
  }
  return Object.assign(result, documented);
}

/** 2.5; also from a title or an id alone. Null if there is neither. */
export function readFileStatus(value: unknown): records.FileStatus | null {
  const record = toRecord(value) ?? { id: typeof value === "string" ? null : value, title: typeof value === "string" ? value : null };
  const id = toId(record["id"]);
  const title = toName(record["title"]) ?? (id === null ? null : t("status", { id: String(id) }));
  if (title === null) return null;
  const documented = { id: id ?? 0, title, color: toInteger(record["color"]) ?? 0, position: toInteger(record["position"]) ?? 0 };
  return withValidMembers(record, records.fileStatus, documented) as records.FileStatus;
}

/** Members that attachments (2.3) and a file's `common` (2.4) share. */
const readFileMembers = (record: JsonRecord, base: string) => ({
  size: toCount(record["size"]),
  url: toUrl(record["url"], base) ?? "",
  compressed_file_url: toUrl(record["compressed_file_url"], base),
  is_blind_drop: toBoolean(record["is_blind_drop"]),
  is_shared: toBoolean(record["is_shared"]),
  transcoding_status: toName(record["transcoding_status"]) ?? "",
});

/** 2.3. An attachment without an id is shown as a document, because there is no page and no track for it; `index` keeps several of them apart. */
function readAttachment(value: unknown, index: number, base: string): records.Attachment | null {
  const record = toRecord(value);
  if (!record) return null;
  const id = toId(record["id"]);
  const name = toName(record["name"]);
  const documented = {
    ...readFileMembers(record, base),
    id: id ?? -1 - index,
    name: name ?? t("file", { id: String(id ?? index + 1) }),
    has_unread_comments: toBoolean(record["has_unread_comments"]),
    ...optionalNumber("duration", record),
    ...optionalUrl("stills_url", record, base),
    ...optionalUrl("thumbnail_url", record, base),
    ...optionalUrl("thumbnail", record, base),
    ...(id === null ? { kind: "document" } : {}),
  };
  return withValidMembers(record, records.attachment, documented) as records.Attachment;
}

const optionalNumber = (name: string, record: JsonRecord) => {
  const number = toNumber(record[name]);
  return number === null ? {} : { [name]: Math.max(0, number) };
};
const optionalUrl = (name: string, record: JsonRecord, base: string) => {
  const url = toUrl(record[name], base);
  return url === null ? {} : { [name]: url };
};

/** 2.2. Null without an id, by which everything refers to a message. */
function readMessage(value: unknown, projectId: number, base: string): records.Message | null {
  const record = toRecord(value);
  const id = record && toId(record["id"]);
  if (!record || id === null) return null;
  const datetime = toTimestamp(record["datetime"]);
  const documented = {
    id,
    chat_id: toId(record["chat_id"]) ?? projectId,
    account_id: toId(record["account_id"]) ?? 0,
    body: toText(record["body"]) ?? "",
    datetime: datetime ?? "",
    edited: toBoolean(record["edited"]),
    is_audio_message: toBoolean(record["is_audio_message"]),
    type: toName(record["type"]) ?? "message",
    parent_message_id: toId(record["parent_message_id"]),
    parent_chat_id: toId(record["parent_chat_id"]),
    parent_account_id: toId(record["parent_account_id"]),
    attachments: toArray(record["attachments"]).flatMap((attachment, index) => readAttachment(attachment, index, base) ?? []),
  };
  return withValidMembers(record, records.message, documented) as records.Message;
}

/** Messages without a readable time get that of the message before them, or else of the one after them. */
function withTimes(messages: readonly records.Message[]): records.Message[] {
  let time = messages.find(({ datetime }) => datetime !== "")?.datetime ?? NO_TIME;
  return messages.map((message) => {
    if (message.datetime !== "") ({ datetime: time } = message);
    return message.datetime === "" ? { ...message, datetime: time, ...markUnknown(["datetime"]) } : message;
  });
}

/** Messages in order, each once: of two records with one id the later counts, or the one with the higher revision. */
function sortMessages(messages: readonly records.Message[]): records.Message[] {
  const byId = new Map<number, records.Message>();
  for (const message of messages) {
    const existing = byId.get(message.id);
    if (!existing || (message.revision ?? 0) >= (existing.revision ?? 0)) byId.set(message.id, message);
  }
  return [...byId.values()].toSorted((a, b) => a.id - b.id);
}

/**
 * Chat history (4.1). The member `unreadable` counts messages that cannot be shown. Null if there is no list, or no message in it has an id.
 */
export function readChatHistory(json: unknown, schema: ObjectSchema, projectId: number, base: string) {
  const list = Array.isArray(json) ? { data: json } : toRecord(json);
  if (!list || !Array.isArray(list["data"])) return null;
  const read = list["data"].map((message) => readMessage(message, projectId, base));
  const messages = read.filter((message) => message !== null);
  if (messages.length === 0 && read.length > 0) return null;
  const unreadable = read.length - messages.length;
  return withValidMembers(list, schema, { object: "list", data: withTimes(sortMessages(messages)), ...(unreadable > 0 ? { unreadable } : {}) });
}

/** 2.4 `ai_tags` */
function readAiTags(value: unknown): records.AiTags {
  const record = toRecord(value) ?? {};
  const { key } = record;
  const documented = {
    bpm: toAmount(record["bpm"]),
    genres: toTagScores(record["genres"]),
    instruments: toTagScores(record["instruments"]),
    moods: toTagScores(record["moods"]),
    key: (Array.isArray(key) ? key : [key]).flatMap((name) => toName(name) ?? []),
  };
  return withValidMembers(record, records.aiTags, documented) as records.AiTags;
}

/** Members of `common` whose value says something even if it is false or null. */
const COMMON_MEMBERS = ["status", "compressed_file_url", "is_shared", "is_blind_drop"] as const;

/** Returns whether a member has a documented value, in contrast to one that is missing or of another type. */
function isReadable(record: JsonRecord, name: (typeof COMMON_MEMBERS)[number], read: { status: unknown; compressed_file_url: unknown }): boolean {
  if (name === "status" || name === "compressed_file_url") return record[name] === null || read[name] !== null;
  return toKnownBoolean(record[name]) !== null;
}

/** 2.4 `common` */
function readFileCommon(record: JsonRecord, fileId: number, base: string): records.FileCommon {
  const documented = {
    ...readFileMembers(record, base),
    id: fileId || (toId(record["id"]) ?? 0),
    name: toName(record["name"]) ?? t("file", { id: String(fileId) }),
    account_id: toId(record["account_id"]) ?? 0,
    project_id: toId(record["project_id"]) ?? 0,
    file_team_id: toId(record["file_team_id"]) ?? 0,
    status: readFileStatus(record["status"]),
  };
  const unknownNames = COMMON_MEMBERS.filter((name) => !isReadable(record, name, documented));
  return { ...(withValidMembers(record, records.fileCommon, documented) as records.FileCommon), ...markUnknown(unknownNames) };
}

/** The kind of a file's info by its `object`, of which only the one for audio is documented, or else by the file's name. */
function kindOfInfo(object: unknown, name: string) {
  const known = typeof object === "string" ? /audio|video|image|document|folder/i.exec(object)?.[0].toLowerCase() : undefined;
  return (known as "audio" | "video" | "image" | "document" | "folder" | undefined) ?? kindOfName(name);
}

/** 2.4 `file_info`; the members of other kinds than audio are extensions. */
function readKindInfo(value: unknown, name: string): records.FileInfoResponse["file_info"] {
  const record = toRecord(value) ?? {};
  const kind = kindOfInfo(record["object"], name);
  const samples = toCount(record["number_of_samples"]);
  const sampleRate = toCount(record["samplerate"]);
  if (kind !== "audio") {
    const { object: _, ...members } = record;
    const shown = { object: kind === "folder" ? "folder_info" : `${kind}_file_info`, ...optionalNumber("duration", record) };
    return withValidMembers(members, records.nonAudioFileInfo, "wave" in record ? { ...shown, wave: toWave(record["wave"]) } : shown) as ReturnType<
      typeof readKindInfo
    >;
  }
  const { annotations } = record;
  const documented = {
    object: "audio_file_info",
    // An object has the same meaning as its text, which is what the document names.
    annotations: typeof annotations === "object" && annotations !== null ? JSON.stringify(annotations) : (toText(annotations) ?? ""),
    audio_encoding: toName(record["audio_encoding"]),
    bitrate: toText(record["bitrate"]) ?? "",
    bits_per_sample: toCount(record["bits_per_sample"]),
    bpm: toAmount(record["bpm"]),
    duration: toAmount(record["duration"]) || (sampleRate > 0 ? samples / sampleRate : 0),
    key: toName(record["key"]),
    number_of_chanels: toCount(record["number_of_chanels"]),
    number_of_samples: samples,
    samplerate: sampleRate,
    wave: toWave(record["wave"]),
  };
  return withValidMembers(record, records.audioFileInfo, documented) as records.AudioFileInfo;
}

/** File info (4.2). Null if the response has none of the three documented members. */
export function readFileInfo(json: unknown, fileId: number, base: string): records.FileInfoResponse | null {
  const record = toRecord(json);
  if (!record || !["ai_tags", "common", "file_info"].some((name) => toRecord(record[name]) !== null)) return null;
  const common = readFileCommon(toRecord(record["common"]) ?? {}, fileId, base);
  return { ...record, ai_tags: readAiTags(record["ai_tags"]), common, file_info: readKindInfo(record["file_info"], common.name) };
}

/**
 * The created webhook endpoint (2.7, 4.3), of whose response the document names only the envelope. What is missing is taken from the request, since the
 * service has accepted it; an id that is no number is 0. `responseData` is the whole response. Null if the response is no object.
 */
export function readCreatedWebhookEndpoint(json: unknown, schema: ObjectSchema, requested: JsonRecord, now: string) {
  const envelope = toRecord(json);
  if (!envelope) return null;
  const record = toRecord(envelope["data"]) ?? envelope;
  const eventTypes = toArray(record["event_types"]).flatMap((type) => toName(type) ?? []);
  const documented = {
    id: toId(record["id"]) ?? 0,
    url: toName(record["url"]) ?? toText(requested["url"]) ?? "",
    event_types: eventTypes.length > 0 ? eventTypes : toArray(requested["event_types"]).flatMap((type) => toName(type) ?? []),
    description: toText(record["description"]) ?? toText(requested["description"]) ?? "",
    enabled: !("enabled" in record) || toBoolean(record["enabled"]),
    created_at: toTimestamp(record["created_at"]) ?? now,
    created_by_account_id: toId(record["created_by_account_id"]) ?? 0,
    secret_hint: toText(record["secret_hint"]) ?? "",
    held_count: toCount(record["held_count"]),
  };
  const missing = {
    failing_since: null,
    disabled_reason: null,
    disabled_at: null,
    disabled_by_account_id: null,
    previous_secret_until: null,
    last_delivered_at: null,
    recent: [],
  };
  return { object: "webhook_endpoint", responseData: envelope, data: { ...missing, ...withValidMembers(record, schema, documented) } };
}
