/** Reads the extension members of a file's record, each of which a service may leave out. */
import type { AiTags, AudioFileInfo, FileCommon, FileInfoAnswer } from "../../../../contract/records.ts";
import type { Track } from "../../../audio/player.ts";

const numberIn = (record: Record<string, unknown>, name: string): number | null => {
  const value = record[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};
const textIn = (record: Record<string, unknown>, name: string): string | null => {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export const versionOf = (common: FileCommon) => numberIn(common, "version");
export const failureOf = (common: FileCommon) => textIn(common, "failure");
/** "audio/wav"; where nothing better is known, what the name ends with: "TXT". */
export function typeOf(common: FileCommon): string | null {
  const type = textIn(common, "media_type");
  if (type && type !== "application/octet-stream") return type;
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(common.name)?.[1]?.toUpperCase() ?? type;
}
export const createdAtOf = (common: FileCommon) => textIn(common, "created_at");
export const pictureOf = (info: Record<string, unknown>, name: "stills_url" | "thumbnail_url" | "thumbnail") => textIn(info, name);

const LOUDNESS = ["integrated", "range", "truePeak", "samplePeak", "shortTermMax", "momentaryMax"] as const;

/** Measured loudness; null for what the service does not tell and for what cannot be measured. */
export function loudnessOf(info: AudioFileInfo): Record<(typeof LOUDNESS)[number], number | null> {
  const value = info["loudness"];
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return Object.fromEntries(LOUDNESS.map((name) => [name, numberIn(record, name)])) as Record<(typeof LOUDNESS)[number], number | null>;
}

/** What the service noticed while it read the file, in its own words: that it ends early, that parts are damaged. */
export function notesOf(info: AudioFileInfo): string[] {
  const notes = info["notes"];
  return Array.isArray(notes) ? notes.filter((one) => typeof one === "string") : [];
}

/** How sure the analysis is, 0 to 1; null where the service tells none. */
export function confidenceOf(tags: AiTags, what: "bpm" | "key"): number | null {
  const value = numberIn(tags, `${what}_confidence`);
  return value === null ? null : Math.min(1, Math.max(0, value));
}

/** Whether somebody has put it right by hand. */
export const isCorrected = (info: AudioFileInfo, what: "bpm" | "key"): boolean => info.corrected?.[what] === true;

/** What the tagging model says of itself: "labeled", "no-model", "not-installed", "failed"; null where the service does not tell. */
export function modelStateOf(tags: AiTags): string | null {
  const model = tags["model"];
  return typeof model === "object" && model !== null ? textIn(model as Record<string, unknown>, "state") : null;
}

/** The sound of a file, as the player takes it: the streaming copy where there is one. */
export function trackOf({ common, file_info: info }: FileInfoAnswer): Track | null {
  if (info.object !== "audio_file_info") return null;
  const { duration, wave } = info;
  return {
    fileId: common.id,
    version: versionOf(common),
    name: common.name,
    src: common.compressed_file_url ?? common.url,
    duration,
    wave,
    projectId: common.project_id,
  };
}

/** The address that saves the file instead of showing it. */
export function downloadUrl(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}download=1`;
}

/** `?t=83.4` in seconds; null where there is none that makes sense. */
export function startOf(search: URLSearchParams): number | null {
  const text = search.get("t");
  const seconds = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
