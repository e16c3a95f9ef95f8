/** Decides which streaming copy a file needs, if any, from the probe results alone. */
import type { AudioFacts, VideoFacts } from "../types.ts";

export type CopyPlan = "none" | "encode" | "remux" | "video";

/** Codecs that current browsers play. */
const PLAYABLE_AUDIO = new Set(["mp3", "aac", "opus", "vorbis"]);
/** Codecs that every browser plays from their own container, so they need a remux at most. */
const UNIVERSAL_AUDIO = new Set(["mp3", "aac"]);
const MP4_AUDIO = new Set(["aac", "mp3"]);
const WEBM_VIDEO = new Set(["vp8", "vp9", "av1"]);
const WEBM_AUDIO = new Set(["opus", "vorbis"]);
/** Containers whose audio browsers play as is, with the codecs expected in each. Audio-only WebM is missing because Safari added support late. */
const AUDIO_BY_CONTAINER: Record<string, ReadonlySet<string>> = {
  mp3: new Set(["mp3"]),
  ogg: WEBM_AUDIO,
  mp4: new Set(["aac", "mp3", "opus"]),
};
/** Bits per second above which a phone on a mobile connection has to wait for the original. */
const MAX_BIT_RATE = 320_000;

export interface CopyFacts {
  /** Return value of `containerType`. */
  type: string;
  audio: Pick<AudioFacts, "encoding" | "lossless" | "bitrate"> | null;
  video: Pick<VideoFacts, "encoding" | "pixelFormat"> | null;
  /** Duration in seconds declared by the container, or 0 if it declares none, as in a browser recording. */
  declaredSeconds: number;
  /** True for a fragmented MP4, which some browsers record. */
  fragmented: boolean;
  /** Bytes in front of the content, which browsers do not skip. */
  leadingBytes: number;
}

export function decideCopy({ type, audio, video, declaredSeconds, fragmented, leadingBytes }: CopyFacts): CopyPlan {
  const seekable = declaredSeconds > 0 && !fragmented && type !== "aac" && leadingBytes === 0;
  if (video) return decideVideoCopy(type, video, audio, seekable);
  if (!audio) return "none";
  if (audio.lossless || !PLAYABLE_AUDIO.has(audio.encoding) || Number(audio.bitrate) > MAX_BIT_RATE * 1.02) return "encode";
  if (seekable && AUDIO_BY_CONTAINER[type]?.has(audio.encoding)) return "none";
  return UNIVERSAL_AUDIO.has(audio.encoding) ? "remux" : "encode";
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
