/** Reads the extension members of a file's record, each of which a service may leave out. */
import type { AiTags, AudioFileInfo, FileCommon, FileInfoResponse } from "../../../../contract/records.ts";
import type { Track } from "../../../audio/track.ts";

const readNumber = (record: Record<string, unknown>, name: string): number | null => {
  const value = record[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};
const readText = (record: Record<string, unknown>, name: string): string | null => {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export const versionOf = (common: FileCommon) => readNumber(common, "version");
export const failureOf = (common: FileCommon) => readText(common, "failure");
/** "audio/wav"; where nothing better is known, what the name ends with: "TXT". */
export function typeOf(common: FileCommon): string | null {
  const type = readText(common, "media_type");
  if (type && type !== "application/octet-stream") return type;
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(common.name)?.[1]?.toUpperCase() ?? type;
}
export const createdAtOf = (common: FileCommon) => readText(common, "created_at");
export const imageUrlOf = (info: Record<string, unknown>, name: "stills_url" | "thumbnail_url" | "thumbnail") => readText(info, name);

const LOUDNESS = ["integrated", "range", "truePeak", "samplePeak", "shortTermMax", "momentaryMax"] as const;

/** Measured loudness; null for what the service does not tell and for what cannot be measured. */
export function loudnessOf(info: AudioFileInfo): Record<(typeof LOUDNESS)[number], number | null> {
  const value = info["loudness"];
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return Object.fromEntries(LOUDNESS.map((name) => [name, readNumber(record, name)])) as Record<(typeof LOUDNESS)[number], number | null>;
}

/** What the service noticed while it read the file, in its own words: that it ends early, that parts are damaged. */
export function processingNotesOf(info: AudioFileInfo): string[] {
  const notes = info["notes"];
  return Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [];
}

/** How sure the analysis is, 0 to 1; null where the service tells none. */
export function confidenceOf(tags: AiTags, field: "bpm" | "key"): number | null {
  const value = readNumber(tags, `${field}_confidence`);
  return value === null ? null : Math.min(1, Math.max(0, value));
}

/** Whether somebody has put it right by hand. */
export const isCorrected = (info: AudioFileInfo, field: "bpm" | "key"): boolean => info.corrected?.[field] === true;

/** What the tagging model says of itself: "labeled", "no-model", "not-installed", "failed"; null where the service does not tell. */
export function modelStateOf(tags: AiTags): string | null {
  const model = tags["model"];
  return typeof model === "object" && model !== null ? readText(model as Record<string, unknown>, "state") : null;
}

/** What the player plays of a file, the streaming copy where there is one and `isOriginal` does not say otherwise; null for what neither sounds nor moves. */
export function toTrack({ common, file_info: info }: FileInfoResponse, original = false): Track | null {
  if (info.object !== "audio_file_info" && info.object !== "video_file_info") return null;
  const { duration = 0, wave = [] } = info;
  const playsOriginal = original && common.compressed_file_url !== null;
  return {
    fileId: common.id,
    version: versionOf(common),
    name: common.name,
    src: playsOriginal ? common.url : (common.compressed_file_url ?? common.url),
    duration: duration > 0 && Number.isFinite(duration) ? duration : 0,
    wave,
    projectId: common.project_id,
    ...(info.object === "video_file_info" ? { isVideo: true } : {}),
    ...(playsOriginal ? { isOriginal: true } : {}),
  };
}

/** The file itself, where there is a copy of it for streaming. */
export interface Original {
  lossless: boolean;
  /** "FLAC", "video/quicktime". */
  type: string;
  /** By this browser. */
  playable: boolean;
}
const LOSSLESS = /^(pcm_|flac$|alac$|wavpack$|ape$|tta$)/i;

/** `canPlay`: whether this browser knows a media type. Null: there is nothing to choose. */
export function getOriginal({ common, file_info: info }: FileInfoResponse, canPlay: (type: string) => boolean): Original | null {
  if (common.compressed_file_url === null) return null;
  const encoding = info.object === "audio_file_info" ? info.audio_encoding : null;
  const mediaType = readText(common, "media_type");
  return { lossless: encoding !== null && LOSSLESS.test(encoding), type: typeOf(common) ?? common.name, playable: mediaType === null || canPlay(mediaType) };
}

/** Samples a second of a sound; 0: not known. */
export const sampleRateOf = ({ file_info: info }: FileInfoResponse): number => (info.object === "audio_file_info" ? info.samplerate : 0);
/** Beats a minute as they hold for the file, put right by hand or found; 0: not known. */
export function bpmOf({ ai_tags: tags, file_info: info }: FileInfoResponse): number {
  const bpm = info.object === "audio_file_info" && info.bpm > 0 ? info.bpm : tags.bpm;
  return bpm > 0 && Number.isFinite(bpm) ? bpm : 0;
}

/** The address that saves the file instead of showing it. */
export function downloadUrl(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}download=1`;
}

/** `?t=83.4` in seconds; null where there is none that makes sense. */
export function parsePosition(search: URLSearchParams): number | null {
  const text = search.get("t");
  const seconds = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** `?v=3`; null where there is none that makes sense. */
export function parseVersion(search: URLSearchParams): number | null {
  const number = Number(search.get("v") ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
