/** Which streaming copy a file needs, if any: a pure decision over what the probe found. */
import type { AudioFacts, VideoFacts } from "../types.ts";

export type CopyPlan = "none" | "encode" | "remux" | "video";

/** Codecs that today's browsers play. */
const PLAYABLE_AUDIO = new Set(["mp3", "aac", "opus", "vorbis"]);
/** Those that every browser plays from a container of their own, and so need no more than that. */
const UNIVERSAL_AUDIO = new Set(["mp3", "aac"]);
const MP4_AUDIO = new Set(["aac", "mp3"]);
const WEBM_VIDEO = new Set(["vp8", "vp9", "av1"]);
const WEBM_AUDIO = new Set(["opus", "vorbis"]);
/** Containers in which a browser plays sound as it is, with the codecs that it expects there. Sound alone in WebM is none: Safari has learnt it late. */
const AUDIO_BY_CONTAINER: Record<string, ReadonlySet<string>> = {
  mp3: new Set(["mp3"]),
  ogg: WEBM_AUDIO,
  mp4: new Set(["aac", "mp3", "opus"]),
};
/** Above this a phone on the road waits for the original. */
const MAX_BIT_RATE = 320_000;

export interface CopyFacts {
  /** `containerType`'s answer. */
  type: string;
  audio: Pick<AudioFacts, "encoding" | "lossless" | "bitrate"> | null;
  video: Pick<VideoFacts, "encoding" | "pixelFormat"> | null;
  /** Seconds the container itself promises; 0: it does not say, as in a browser's recording. */
  declaredSeconds: number;
  /** An MP4 in fragments, as some browsers record. */
  fragmented: boolean;
}

export function decideCopy({ type, audio, video, declaredSeconds, fragmented }: CopyFacts): CopyPlan {
  const seekable = declaredSeconds > 0 && !fragmented && type !== "aac";
  if (video) return decideVideoCopy(type, video, audio, seekable);
  if (!audio) return "none";
  if (audio.lossless || !PLAYABLE_AUDIO.has(audio.encoding) || Number(audio.bitrate) > MAX_BIT_RATE * 1.02) return "encode";
  if (seekable && AUDIO_BY_CONTAINER[type]?.has(audio.encoding)) return "none";
  return UNIVERSAL_AUDIO.has(audio.encoding) ? "remux" : "encode";
}

/** The picture and sound can be taken over as they are; only the container is not one a browser reads. */
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
