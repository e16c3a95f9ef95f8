/** Opens a media file with access to nothing but the file itself. */
import { AV_CODEC_ID_OPUS, AV_DISPOSITION_ATTACHED_PIC, AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO, type AVMediaType } from "node-av/constants";
import { Dictionary, FormatContext, InputFormat, type Stream } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { recognize, type Recognition } from "../recognition/recognize.ts";
import { UNREADABLE } from "../recognition/signatures.ts";
import { check, isEnd, secondsPerTick } from "./av.ts";

/** Limits, in bytes and microseconds, on what is read to detect the streams. */
const PROBE_BYTES = 20_000_000;
const PROBE_TIME_US = 20_000_000;

export interface Input {
  readonly format: FormatContext;
  /** Default audio stream. */
  readonly audio: Stream | null;
  /** Video stream, not counting a cover image inside an audio file. */
  readonly video: Stream | null;
  readonly recognition: Recognition;
  /** Seconds of audio that the container promises, or 0. Leaves out FFmpeg's guesses from the bit rate. */
  readonly promisedSeconds: number;
  close(): void;
}

export const isCover = (stream: Stream): boolean => (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) !== 0;

/**
 * Opens the file with the demuxer of its own type, at the byte where its content begins. FFmpeg's own detection is not used: it would find other formats in
 * a clean tone, and playlists and scripts (hls, dash, concat, sdp, ...), which can make it open another file or host. `mov` does not follow external
 * references by default. Throws `not-media` for all other content, and `not-supported` for media that the engine cannot read.
 */
export function openInput(path: string): Input {
  const recognition = recognize(path);
  const { kind, type, demuxer, offset } = recognition;
  if (kind !== "media") throw new MediaFailure("not-media", type);
  if (demuxer === null) throw new MediaFailure("not-supported", type, UNREADABLE[type]);
  const format = openFormat(path, demuxer, offset);
  const promises = new Map(format.streams.map((stream) => [stream.index, promisedSeconds(format, stream)]));
  try {
    check(format.findStreamInfoSync(), "read stream facts");
  } catch (error) {
    format.closeInputSync();
    throw error;
  }
  const { streams } = format;
  const findStream = (mediaType: AVMediaType): Stream | null => {
    const index = format.findBestStream(mediaType);
    const best = index >= 0 ? streams[index] : undefined;
    if (best && !isCover(best)) return best;
    return streams.find((stream) => stream.codecpar.codecType === mediaType && !isCover(stream)) ?? null;
  };
  if (recognition.leadingId3 && offset > 0) addLeadingTags(format, path);
  const audio = findStream(AVMEDIA_TYPE_AUDIO);
  const video = findStream(AVMEDIA_TYPE_VIDEO);
  return { format, audio, video, recognition, promisedSeconds: (audio && promises.get(audio.index)) ?? 0, close: () => format.closeInputSync() };
}

function openFormat(path: string, demuxer: string, offset: number): FormatContext {
  const inputFormat = InputFormat.findInputFormat(demuxer);
  if (!inputFormat) throw new MediaFailure("engine-missing", `no demuxer ${demuxer}`);
  const format = new FormatContext();
  const options = Dictionary.fromObject({
    protocol_whitelist: "file",
    format_whitelist: demuxer,
    probesize: String(PROBE_BYTES),
    analyzeduration: String(PROBE_TIME_US),
    skip_initial_bytes: String(offset),
  });
  const opened = format.openInputSync(`file:${path}`, inputFormat, options);
  options.free();
  if (isEnd(opened)) throw new MediaFailure("damaged", "open: the file ends inside its header");
  check(opened, "open", inputFormat.longName ?? demuxer);
  return format;
}

/** Adds the ID3v2 tags at the start of the file, which a demuxer that starts behind them does not read. The content's own tags come first. */
function addLeadingTags(format: FormatContext, path: string): void {
  try {
    // This demuxer reads such tags and opens nearly everything that follows them.
    const tagged = openFormat(path, "flac", 0);
    try {
      format.metadata = Dictionary.fromObject({ ...tagged.metadata?.getAll(), ...format.metadata?.getAll() });
    } finally {
      tagged.closeInputSync();
    }
  } catch {
    // The sound is complete without its tags.
  }
}

/** Must be called before FFmpeg reads the streams and fills in guesses. Opus counts samples that players skip at the start. */
function promisedSeconds(format: FormatContext, { duration, timeBase, codecpar }: Stream): number {
  if (duration > 0n) return Number(duration) * secondsPerTick(timeBase) - (codecpar.codecId === AV_CODEC_ID_OPUS ? codecpar.initialPadding / 48_000 : 0);
  return format.duration > 0n ? Number(format.duration) / 1e6 : 0;
}

/** Returns the duration in seconds declared by the container, or 0 if it declares none, as in a live recording. */
export function declaredSeconds({ format, audio }: Input): number {
  if (audio && audio.duration > 0n) return (Number(audio.duration) * audio.timeBase.num) / audio.timeBase.den;
  return format.duration > 0n && format.duration !== AV_NOPTS_VALUE ? Number(format.duration) / 1e6 : 0;
}
