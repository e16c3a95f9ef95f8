/** Chooses the recording format and the file name of voice notes. */

/**
 * Opus comes first: at this bit rate it does not degrade a voice, and its chunks are complete from the first one on. Safari records AAC in MP4. The
 * service creates a copy that every browser plays.
 */
const PREFERRED_FORMATS = ["audio/webm;codecs=opus", "audio/mp4;codecs=mp4a.40.2", "audio/mp4", "audio/webm", "audio/ogg;codecs=opus"] as const;
/** Bits per second: 30 minutes take 14 MB. */
export const BIT_RATE = 64_000;

/** Returns the first format that the browser can record, or null if it supports none. */
export const chooseFormat = (isSupported: (type: string) => boolean): string | null => PREFERRED_FORMATS.find(isSupported) ?? null;

const EXTENSIONS: Readonly<Record<string, string>> = { "audio/webm": "webm", "audio/mp4": "m4a", "audio/ogg": "ogg" };
const padTwo = (value: number) => String(value).padStart(2, "0");

/** "Voice note 2026-11-21 18.04.webm", in local time. `type` is the recorder's MIME type, with or without codecs. */
export function voiceFileName(startedAt: number, type: string): string {
  const date = new Date(startedAt);
  const day = `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
  return `Voice note ${day} ${padTwo(date.getHours())}.${padTwo(date.getMinutes())}.${EXTENSIONS[type.split(";")[0]!.trim().toLowerCase()] ?? "webm"}`;
}
