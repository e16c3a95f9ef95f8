/** Analysis requests and results as plain data that can be stored as JSON. */
import type { DocumentText } from "./documents/document-text.ts";
import type { LabelOptions, Labels } from "./labels/types.ts";
import type { Loudness } from "./loudness/loudness.ts";
import type { Music } from "./music/music.ts";
import type { Peaks } from "./peaks/peaks.ts";
import type { MediaKind } from "./recognition/kind.ts";

/**
 * `probe` always runs. The other steps run only if requested and if they apply to the kind of file. Versions store the names of their completed steps, so
 * the names must not change; `pictures` are thumbnails and stills, `text` is that of a document.
 */
export const STEPS = ["probe", "peaks", "loudness", "music", "labels", "copy", "pictures", "text"] as const;
export type Step = (typeof STEPS)[number];

export interface AnalysisRequest {
  steps: readonly Step[];
  /** Fails with `not-media` if the content is of another kind. Only tests set it: uploads accept every kind. */
  expectedKinds?: readonly MediaKind[];
  labels?: LabelOptions;
  /** `later` skips the copy and the pictures of a video that must be encoded, because encoding takes as long as the video. */
  videos?: "later";
}

export interface AudioFacts {
  /** FFmpeg's short codec name: `mp3`, `pcm_s24le`, `aac`, ... */
  encoding: string;
  lossless: boolean;
  /** Bits per second of the audio stream, as a decimal string. */
  bitrate: string;
  /** 0 if the format has no bit depth. */
  bitsPerSample: number;
  sampleRate: number;
  channels: number;
  /** `mono`, `stereo`, `5.1(side)`, ... */
  layout: string;
  /**
   * Samples per channel **as a player plays them**: counted while decoding, without the padding that encoders add at
   * both ends if the file declares its length (LAME header, MP4 edit list, Opus and Vorbis end positions). A bare MP3 or
   * ADTS stream does not declare its padding, so the padding is played and counted.
   */
  samples: number;
  /** Seconds: `samples / sampleRate`. */
  duration: number;
}

export interface VideoFacts {
  encoding: string;
  /** Displayed size, after rotation. */
  width: number;
  height: number;
  /** Frames per second, or 0 if variable or unknown. */
  frameRate: number;
  rotation: 0 | 90 | 180 | 270;
  pixelFormat: string;
  duration: number;
}

export interface ImageFacts {
  format: string;
  width: number;
  height: number;
  pages: number;
}

export interface ProbeNote {
  code: "ends-early" | "damaged-parts" | "bad-samples" | "not-supported" | "no-picture";
  text: string;
}

export interface Probe {
  kind: MediaKind;
  /** Content type: `wav`, `mp3`, `mp4`, `png`, `pdf`, `text`, `playlist`, ... */
  type: string;
  bytes: number;
  audio: AudioFacts | null;
  video: VideoFacts | null;
  image: ImageFacts | null;
  /** The file's own tags as JSON text, exposed in the API as `annotations`. */
  annotations: string;
  notes: ProbeNote[];
}

export interface StreamingCopy {
  file: string;
  /** `encode`: new AAC. `remux`: same encoded streams in a seekable container. `video`: H.264 and AAC. */
  method: "encode" | "remux" | "video";
  mime: string;
  bytes: number;
}

export interface ImageFile {
  file: string;
  mime: string;
  width: number;
  height: number;
}

export interface Thumbnails {
  thumbnail: ImageFile | null;
  /** One image with `columns` x `rows` tiles and a still every `everySeconds`. Videos only. */
  stills: (ImageFile & { columns: number; rows: number; count: number; everySeconds: number }) | null;
}

/** Results of all steps. A step that was not requested or does not apply is absent. `copy: null` means the original is playable as is. */
export interface Results {
  probe?: Probe;
  peaks?: Peaks;
  loudness?: Loudness;
  music?: Music;
  labels?: Labels;
  copy?: StreamingCopy | null;
  pictures?: Thumbnails;
  text?: DocumentText;
}

/** One finished step. Once recorded, a later run does not need to request it again. */
export type StepDone = { [S in Step]: { step: S; value: NonNullable<Results[S]> | (S extends "copy" ? null : never) } }[Step];

export interface Progress {
  /** Current phase. `analysis` is the single decoding pass for probe, peaks, loudness, music and labels. */
  phase: "analysis" | "copy" | "pictures" | "text";
  /** Completed share of the whole request, 0..1. */
  share: number;
}
