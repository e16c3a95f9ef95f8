/** Opens a file for reading with nothing but the file itself within reach. */
import { AV_DISPOSITION_ATTACHED_PIC, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO, type AVMediaType } from "node-av/constants";
import { Dictionary, FormatContext, type Stream } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { check, isEnd } from "./av.ts";

/**
 * Only formats that hold their samples themselves. Playlists and scripts (hls, dash, concat, sdp, image2, ...) are not
 * here, so a file can never make the engine open another file or host. `mov` does not follow external references
 * unless told to. Names are FFmpeg's short demuxer names.
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

/** Bytes and microseconds that may be read before the streams must be known. */
const PROBE_BYTES = 20_000_000;
const PROBE_TIME_US = 20_000_000;

export interface Input {
  readonly format: FormatContext;
  /** First choice for listening. */
  readonly audio: Stream | null;
  /** Moving picture; a cover image inside an audio file does not count. */
  readonly video: Stream | null;
  close(): void;
}

const isCover = (stream: Stream): boolean => (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) !== 0;

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

/** Seconds that the container promises; 0 when it says nothing, which a live recording does. */
export function declaredSeconds({ format, audio }: Input): number {
  if (audio && audio.duration > 0n) return (Number(audio.duration) * audio.timeBase.num) / audio.timeBase.den;
  return format.duration > 0n && format.duration !== AV_NOPTS_VALUE ? Number(format.duration) / 1e6 : 0;
}
