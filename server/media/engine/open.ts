/** Opens a media file with access to nothing but the file itself. */
import { AV_DISPOSITION_ATTACHED_PIC, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO, type AVMediaType } from "node-av/constants";
import { Dictionary, FormatContext, type Stream } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { check, isEnd } from "./av.ts";

/**
 * FFmpeg's short names of the allowed demuxers: only formats that contain their own samples. Playlists and scripts (hls,
 * dash, concat, sdp, image2, ...) are excluded, so a file can never make the engine open another file or host. `mov`
 * does not follow external references by default.
 */
const ALLOWED_FORMATS = [
  "wav",
  "w64",
  "aiff",
  "caf",
  "au",
  "voc",
  "flac",
  "mp3",
  "aac",
  "ogg",
  "mov",
  "mp4",
  "m4a",
  "3gp",
  "3g2",
  "mj2",
  "matroska",
  "webm",
  "ape",
  "wv",
  "tta",
  "tak",
  "mpc",
  "mpc8",
  "ac3",
  "eac3",
  "dts",
  "dtshd",
  "truehd",
  "amr",
  "asf",
  "avi",
  "flv",
  "mpeg",
  "mpegts",
  "mpegvideo",
  "m4v",
  "h264",
  "hevc",
  "dv",
  "mxf",
  "rm",
  "dsf",
  "iff",
  "shn",
  "gif",
  "apng",
].join(",");

/** Limits, in bytes and microseconds, on what is read to detect the streams. */
const PROBE_BYTES = 20_000_000;
const PROBE_TIME_US = 20_000_000;

export interface Input {
  readonly format: FormatContext;
  /** Default audio stream. */
  readonly audio: Stream | null;
  /** Video stream, not counting a cover image inside an audio file. */
  readonly video: Stream | null;
  close(): void;
}

export const isCover = (stream: Stream): boolean => (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) !== 0;

export function openInput(path: string, extraOptions: Record<string, string> = {}): Input {
  const format = new FormatContext();
  const options = Dictionary.fromObject({
    protocol_whitelist: "file",
    format_whitelist: ALLOWED_FORMATS,
    probesize: String(PROBE_BYTES),
    analyzeduration: String(PROBE_TIME_US),
    ...extraOptions,
  });
  const opened = format.openInputSync(`file:${path}`, null, options);
  options.free();
  if (isEnd(opened)) throw new MediaFailure("damaged", "open: the file ends inside its header");
  check(opened, "open");
  try {
    check(format.findStreamInfoSync(), "read stream facts");
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
  const { streams } = format;
  const findStream = (type: AVMediaType): Stream | null => {
    const index = format.findBestStream(type);
    const best = index >= 0 ? streams[index] : undefined;
    if (best && !isCover(best)) return best;
    return streams.find((stream) => stream.codecpar.codecType === type && !isCover(stream)) ?? null;
  };
  const audio = findStream(AVMEDIA_TYPE_AUDIO);
  const video = findStream(AVMEDIA_TYPE_VIDEO);
  return { format, audio, video, close: () => format.closeInputSync() };
}

/** Returns the duration in seconds declared by the container, or 0 if it declares none, as in a live recording. */
export function declaredSeconds({ format, audio }: Input): number {
  if (audio && audio.duration > 0n) return (Number(audio.duration) * audio.timeBase.num) / audio.timeBase.den;
  return format.duration > 0n && format.duration !== AV_NOPTS_VALUE ? Number(format.duration) / 1e6 : 0;
}
