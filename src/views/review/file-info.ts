/** Reads the extension fields of a file's info, which a service may omit. */
import type { EntryKind } from "../../../contract/file-records.ts";
import type { AiTags, AudioFileInfo, FileCommon, FileInfoResponse } from "../../../contract/records.ts";
import type { Track } from "../../audio/player/track.ts";
import { hasFailed, isProcessing } from "../../queries/files/file-updates.ts";

const readNumber = (record: Record<string, unknown>, name: string): number | null => {
  const value = record[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};
const readText = (record: Record<string, unknown>, name: string): string | null => {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export const kindOfInfo = ({ object }: FileInfoResponse["file_info"]): EntryKind => object.replace(/(_file)?_info$/, "") as EntryKind;
export const versionOf = (common: FileCommon) => readNumber(common, "version");
export const failureOf = (common: FileCommon) => readText(common, "failure");
/** Returns the media type, such as "audio/wav", or the file extension, such as "TXT", if no specific type is known. */
export function typeOf(common: FileCommon): string | null {
  const type = readText(common, "media_type");
  if (type && type !== "application/octet-stream") return type;
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(common.name)?.[1]?.toUpperCase() ?? type;
}
export const createdAtOf = (common: FileCommon) => readText(common, "created_at");
export const imageUrlOf = (info: Record<string, unknown>, name: "stills_url" | "thumbnail_url" | "thumbnail") => readText(info, name);

const LOUDNESS = ["integrated", "range", "truePeak", "samplePeak", "shortTermMax", "momentaryMax"] as const;

/** Returns the measured loudness values; null for values that are missing or could not be measured. */
export function loudnessOf(info: AudioFileInfo): Record<(typeof LOUDNESS)[number], number | null> {
  const value = info["loudness"];
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return Object.fromEntries(LOUDNESS.map((name) => [name, readNumber(record, name)])) as Record<(typeof LOUDNESS)[number], number | null>;
}

/** Returns what the service noticed while reading the file, such as a truncated end or damaged parts, in the service's own wording. */
export function processingNotesOf(info: AudioFileInfo): string[] {
  const notes = info["notes"];
  return Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [];
}

/** Returns the confidence of the analysis from 0 to 1, or null if the service provides none. */
export function confidenceOf(tags: AiTags, field: "bpm" | "key"): number | null {
  const value = readNumber(tags, `${field}_confidence`);
  return value === null ? null : Math.min(1, Math.max(0, value));
}

export const isCorrected = (info: AudioFileInfo, field: "bpm" | "key"): boolean => info.corrected?.[field] === true;

/** Returns the tagging model's state: "labeled", "no-model", "not-installed" or "failed"; null if the service does not report it. */
export function modelStateOf(tags: AiTags): string | null {
  const model = tags["model"];
  return typeof model === "object" && model !== null ? readText(model as Record<string, unknown>, "state") : null;
}

/**
 * Returns the track to play, or null for files that are neither audio nor video, or not decoded yet. Uses the streaming copy if there is
 * one, unless `prefersOriginal` is true.
 */
export function toTrack({ common, file_info: info }: FileInfoResponse, prefersOriginal = false): Track | null {
  if (info.object !== "audio_file_info" && info.object !== "video_file_info") return null;
  const { duration: seconds = 0, wave = [] } = info;
  const duration = seconds > 0 && Number.isFinite(seconds) ? seconds : 0;
  if (duration === 0 && (isProcessing(common.transcoding_status) || hasFailed(common.transcoding_status))) return null;
  const playsOriginal = prefersOriginal && common.compressed_file_url !== null;
  return {
    fileId: common.id,
    version: versionOf(common),
    name: common.name,
    src: playsOriginal ? common.url : (common.compressed_file_url ?? common.url),
    duration,
    wave,
    projectId: common.project_id,
    ...(info.object === "video_file_info" ? { isVideo: true } : {}),
    ...(info.object === "audio_file_info" && info.cover_url !== undefined ? { coverUrl: info.cover_url } : {}),
    ...(playsOriginal ? { isOriginal: true } : {}),
  };
}

/** The uploaded file, if a streaming copy exists as well. */
export type Original = NonNullable<ReturnType<typeof getOriginal>>;
const LOSSLESS = /^(pcm_|flac$|alac$|wavpack$|ape$|tta$)/i;

/** Returns the original, or null if there is no streaming copy to choose instead. `canPlay` returns whether this browser supports a media type. */
export function getOriginal({ common, file_info: info }: FileInfoResponse, canPlay: (type: string) => boolean) {
  if (common.compressed_file_url === null) return null;
  const encoding = info.object === "audio_file_info" ? info.audio_encoding : null;
  const mediaType = readText(common, "media_type");
  return {
    isLossless: encoding !== null && LOSSLESS.test(encoding),
    /** For example "FLAC" or "video/quicktime". */
    type: typeOf(common) ?? common.name,
    /** True if this browser can play it. */
    isPlayable: mediaType === null || canPlay(mediaType),
  };
}

/** Returns the sample rate of an audio file in samples per second; 0 if unknown. */
export const sampleRateOf = ({ file_info: info }: FileInfoResponse): number => (info.object === "audio_file_info" ? info.samplerate : 0);
/** Returns the tempo in beats per minute, either corrected or detected; 0 if unknown. */
export function bpmOf({ ai_tags: tags, file_info: info }: FileInfoResponse): number {
  const bpm = info.object === "audio_file_info" && info.bpm > 0 ? info.bpm : tags.bpm;
  return bpm > 0 && Number.isFinite(bpm) ? bpm : 0;
}

/**
 * Returns the URL that downloads the file, or null if the service sends none. This project's service, which numbers versions, then sends the file as a
 * download; other services may not know the parameter.
 */
export function downloadUrl(common: FileCommon): string | null {
  const { url } = common;
  if (url === "") return null;
  return versionOf(common) === null ? url : `${url}${url.includes("?") ? "&" : "?"}download=1`;
}

/** Returns `?t=83.4` in seconds, or null if it is missing or invalid. */
export function parsePosition(search: URLSearchParams): number | null {
  const text = search.get("t");
  const seconds = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** Returns `?v=3` as a number, or null if it is missing or invalid. */
export function parseVersion(search: URLSearchParams): number | null {
  const number = Number(search.get("v") ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
