/** Decides which streaming copy a file needs, if any, from the probe results alone. */
import type { DecodeStats } from "../engine/decode.ts";
import type { AudioFacts, VideoFacts } from "../types.ts";

export type CopyPlan = "none" | "encode" | "remux" | "video";

/** Codecs that current browsers play. */
const PLAYABLE_AUDIO = new Set(["mp3", "aac", "opus", "vorbis"]);
const MP4_AUDIO = new Set(["aac", "mp3"]);
const WEBM_VIDEO = new Set(["vp8", "vp9", "av1"]);
const WEBM_AUDIO = new Set(["opus", "vorbis"]);
/** Codecs that browsers play from an MP4 at exactly the asked second. In MP3 and Ogg files they only estimate where a second is (decision 039). */
const EXACT_IN_MP4 = new Set(["aac", "opus"]);
/** Seconds. Timestamps may be rounded to milliseconds, and the first block of Vorbis has half its length. */
const TOLERANCE = 0.02;
/** At lower rates a block of AAC lasts so long that a player is silent for up to 90 ms after a seek. */
const MIN_SAMPLE_RATE = 32_000;
/** Bits per second above which a phone on a mobile connection has to wait for the original. */
const MAX_BIT_RATE = 320_000;

export interface CopyFacts {
  /** Return value of `containerType`. */
  type: string;
  audio: Pick<AudioFacts, "encoding" | "lossless" | "bitrate" | "sampleRate"> | null;
  video: Pick<VideoFacts, "encoding" | "pixelFormat"> | null;
  /** Duration in seconds declared by the container, or 0 if it declares none, as in a browser recording. */
  declaredSeconds: number;
  /** What decoding the audio showed; null without audio. */
  decoded: DecodedFacts | null;
  /** True for a fragmented MP4, which some browsers record. */
  fragmented: boolean;
  /** Bytes in front of the content, which browsers do not skip. */
  leadingBytes: number;
}

export interface DecodedFacts extends Pick<DecodeStats, "brokenPackets" | "brokenAtEnd" | "startSeconds" | "driftSeconds"> {
  seconds: number;
}

export function decideCopy({ type, audio, video, declaredSeconds, decoded, fragmented, leadingBytes }: CopyFacts): CopyPlan {
  const isComplete = !fragmented && leadingBytes === 0;
  if (video) return decideVideoCopy(type, video, audio, declaredSeconds > 0 && isComplete);
  if (!audio || !decoded || decoded.seconds === 0) return "none";
  if (audio.lossless || !PLAYABLE_AUDIO.has(audio.encoding) || Number(audio.bitrate) > MAX_BIT_RATE * 1.02 || audio.sampleRate < MIN_SAMPLE_RATE)
    return "encode";
  // Where packets are missing or timestamps jump, players and the waveform would disagree on the time of everything that follows.
  const isContinuous = decoded.brokenPackets + decoded.brokenAtEnd === 0 && decoded.driftSeconds < TOLERANCE;
  const isExact = isContinuous && isComplete && Math.abs(decoded.startSeconds) < TOLERANCE && Math.abs(declaredSeconds - decoded.seconds) < TOLERANCE;
  if (isExact && type === "mp4" && EXACT_IN_MP4.has(audio.encoding)) return "none";
  return isContinuous && audio.encoding === "aac" ? "remux" : "encode";
}

/** True if browsers can play the video stream unchanged in an MP4. */
export const canCopyVideoStream = ({ encoding, pixelFormat }: Pick<VideoFacts, "encoding" | "pixelFormat">): boolean =>
  encoding === "h264" && /^yuvj?420p$/.test(pixelFormat);
export const canCopyAudioStream = (encoding: string): boolean => MP4_AUDIO.has(encoding);

function decideVideoCopy(type: string, video: Pick<VideoFacts, "encoding" | "pixelFormat">, audio: CopyFacts["audio"], seekable: boolean): CopyPlan {
  const isPlayable = (codecs: ReadonlySet<string>, isVideoPlayable: boolean): boolean => isVideoPlayable && (!audio || codecs.has(audio.encoding));
  if (type === "mp4" || type === "mov") return !isPlayable(MP4_AUDIO, canCopyVideoStream(video)) ? "video" : seekable && type === "mp4" ? "none" : "remux";
  if (type === "webm" || type === "matroska")
    return !isPlayable(WEBM_AUDIO, WEBM_VIDEO.has(video.encoding)) ? "video" : seekable && type === "webm" ? "none" : "remux";
  return "video";
}
