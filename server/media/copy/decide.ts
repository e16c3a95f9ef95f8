/** Which streaming copy a file needs, if any: a pure decision over what the probe found. */
import type { AudioFacts, VideoFacts } from "../types.ts";

export type CopyPlan = "none" | "encode" | "remux" | "video";

/** Codecs that today's browsers play. */
const AUDIO = new Set(["mp3", "aac", "opus", "vorbis"]);
const MP4_AUDIO = new Set(["aac", "mp3"]);
const WEBM_VIDEO = new Set(["vp8", "vp9", "av1"]);
const WEBM_AUDIO = new Set(["opus", "vorbis"]);
/** Above this a phone on the road waits for the original. */
const MOST_BITS = 320_000;

export interface CopyFacts {
  /** Engine's container name. */
  container: string;
  audio: Pick<AudioFacts, "encoding" | "lossless" | "bitrate"> | null;
  video: Pick<VideoFacts, "encoding" | "pixelFormat"> | null;
  /** Seconds the container itself promises; 0: it does not say, as in a browser's recording. */
  promisedSeconds: number;
  /** An MP4 in fragments, as some browsers record. */
  fragmented: boolean;
}

export function decideCopy({ container, audio, video, promisedSeconds, fragmented }: CopyFacts): CopyPlan {
  const seekable = promisedSeconds > 0 && !fragmented && container !== "aac";
  if (video) return !plays(container, video, audio) ? "video" : seekable ? "none" : "remux";
  if (!audio) return "none";
  if (audio.lossless || !AUDIO.has(audio.encoding) || Number(audio.bitrate) > MOST_BITS * 1.02) return "encode";
  const home = container === "mp3" || container === "ogg" || container.includes("mp4") || container.includes("webm");
  return seekable && home ? "none" : "remux";
}

/** The picture and sound can be taken over as they are; only the container is not one a browser reads. */
export const copiesPicture = ({ encoding, pixelFormat }: Pick<VideoFacts, "encoding" | "pixelFormat">): boolean =>
  encoding === "h264" && /^yuvj?420p$/.test(pixelFormat);
export const copiesSound = (encoding: string): boolean => MP4_AUDIO.has(encoding);

function plays(container: string, video: Pick<VideoFacts, "encoding" | "pixelFormat">, audio: CopyFacts["audio"]): boolean {
  if (container.includes("mp4")) return copiesPicture(video) && (!audio || MP4_AUDIO.has(audio.encoding));
  if (container.includes("webm")) return WEBM_VIDEO.has(video.encoding) && (!audio || WEBM_AUDIO.has(audio.encoding));
  return false;
}
