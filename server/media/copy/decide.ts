/** Which streaming copy a file needs, if any: a pure decision over what the probe found. */
import type { AudioFacts, VideoFacts } from "../types.ts";

export type CopyPlan = "none" | "encode" | "remux" | "video";

/** Codecs that today's browsers play. */
const AUDIO = new Set(["mp3", "aac", "opus", "vorbis"]);
/** Those that every browser plays from a container of their own, and so need no more than that. */
const PLAYED_EVERYWHERE = new Set(["mp3", "aac"]);
const MP4_AUDIO = new Set(["aac", "mp3"]);
const WEBM_VIDEO = new Set(["vp8", "vp9", "av1"]);
const WEBM_AUDIO = new Set(["opus", "vorbis"]);
/** Containers in which a browser plays sound as it is, with the codecs that it expects there. Sound alone in WebM is none: Safari has learnt it late. */
const HOMES: Record<string, ReadonlySet<string>> = {
  mp3: new Set(["mp3"]),
  ogg: WEBM_AUDIO,
  mp4: new Set(["aac", "mp3", "opus"]),
};
/** Above this a phone on the road waits for the original. */
const MOST_BITS = 320_000;

export interface CopyFacts {
  /** `containerType`'s answer. */
  type: string;
  audio: Pick<AudioFacts, "encoding" | "lossless" | "bitrate"> | null;
  video: Pick<VideoFacts, "encoding" | "pixelFormat"> | null;
  /** Seconds the container itself promises; 0: it does not say, as in a browser's recording. */
  promisedSeconds: number;
  /** An MP4 in fragments, as some browsers record. */
  fragmented: boolean;
}

export function decideCopy({ type, audio, video, promisedSeconds, fragmented }: CopyFacts): CopyPlan {
  const seekable = promisedSeconds > 0 && !fragmented && type !== "aac";
  if (video) return planFor(type, video, audio, seekable);
  if (!audio) return "none";
  if (audio.lossless || !AUDIO.has(audio.encoding) || Number(audio.bitrate) > MOST_BITS * 1.02) return "encode";
  if (seekable && HOMES[type]?.has(audio.encoding)) return "none";
  return PLAYED_EVERYWHERE.has(audio.encoding) ? "remux" : "encode";
}

/** The picture and sound can be taken over as they are; only the container is not one a browser reads. */
export const copiesPicture = ({ encoding, pixelFormat }: Pick<VideoFacts, "encoding" | "pixelFormat">): boolean =>
  encoding === "h264" && /^yuvj?420p$/.test(pixelFormat);
export const copiesSound = (encoding: string): boolean => MP4_AUDIO.has(encoding);

function planFor(type: string, video: Pick<VideoFacts, "encoding" | "pixelFormat">, audio: CopyFacts["audio"], seekable: boolean): CopyPlan {
  const plays = (codecs: ReadonlySet<string>, picture: boolean): boolean => picture && (!audio || codecs.has(audio.encoding));
  if (type === "mp4" || type === "mov") return !plays(MP4_AUDIO, copiesPicture(video)) ? "video" : seekable && type === "mp4" ? "none" : "remux";
  if (type === "webm" || type === "matroska")
    return !plays(WEBM_AUDIO, WEBM_VIDEO.has(video.encoding)) ? "video" : seekable && type === "webm" ? "none" : "remux";
  return "video";
}
