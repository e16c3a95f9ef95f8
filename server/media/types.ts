/** What a caller may ask of a file and what it gets back; plain data, ready to be stored as JSON. */
import type { LabelOptions, Labels } from "./labels/types.ts";
import type { Loudness } from "./loudness/loudness.ts";
import type { Music } from "./music/music.ts";
import type { Peaks } from "./peaks/peaks.ts";
import type { MediaKind } from "./probe/kind.ts";

/** `probe` is always done; the others only when wished and when they make sense for the kind. */
export const STEPS = ["probe", "peaks", "loudness", "music", "labels", "copy", "pictures"] as const;
export type Step = (typeof STEPS)[number];

export interface AnalysisRequest {
  steps: readonly Step[];
  /** Fail with `not-media` when the content is of another kind; the caller knows what the name promised. */
  expectedKinds?: readonly MediaKind[];
  labels?: LabelOptions;
  /** A film's copy takes as long as the film: with `later`, copy and pictures of a video that must be encoded are left out. */
  films?: "later";
}

export interface AudioFacts {
  /** The engine's short codec name: `mp3`, `pcm_s24le`, `aac`, ... */
  encoding: string;
  lossless: boolean;
  /** Bits per second of the audio stream in decimal digits. */
  bitrate: string;
  /** 0 where the format has no such thing. */
  bitsPerSample: number;
  sampleRate: number;
  channels: number;
  /** `mono`, `stereo`, `5.1(side)`, ... */
  layout: string;
  /**
   * Samples per channel **as a player plays them**: counted while decoding, after the padding that encoders add at both
   * ends is dropped where the file says how much it is (LAME header, MP4 edit list, Opus and Vorbis end positions).
   * A bare MP3 or ADTS stream does not say; its padding sounds and is counted.
   */
  samples: number;
  /** Seconds: `samples / sampleRate`. */
  duration: number;
}

export interface VideoFacts {
  encoding: string;
  /** As shown, after rotation. */
  width: number;
  height: number;
  /** Pictures a second; 0 when variable or unknown. */
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
  code: "ends-early" | "damaged-parts" | "no-picture";
  text: string;
}

export interface Probe {
  kind: MediaKind;
  /** Content: `wav`, `mp3`, `mp4`, `png`, `pdf`, `text`, `playlist`, ... */
  type: string;
  bytes: number;
  audio: AudioFacts | null;
  video: VideoFacts | null;
  image: ImageFacts | null;
  /** JSON text of the file's own tags: the documented `annotations`. */
  annotations: string;
  notes: ProbeNote[];
}

export interface StreamingCopy {
  file: string;
  /** `encode`: new AAC; `remux`: same sound in a container that seeks; `video`: H.264 and AAC. */
  how: "encode" | "remux" | "video";
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
  /** One image with `columns` x `rows` tiles, a still every `everySeconds`; videos only. */
  stills: (ImageFile & { columns: number; rows: number; count: number; everySeconds: number }) | null;
}

/** A step that was not wished or does not apply is absent; `copy: null` says the original plays as it is. */
export interface Results {
  probe?: Probe;
  peaks?: Peaks;
  loudness?: Loudness;
  music?: Music;
  labels?: Labels;
  copy?: StreamingCopy | null;
  pictures?: Thumbnails;
}

/** One finished step: record it, and a later run need not wish it again. */
export type StepDone = { [S in Step]: { step: S; value: NonNullable<Results[S]> | (S extends "copy" ? null : never) } }[Step];

export interface Progress {
  /** What is being worked on: `analysis` is the one decoding pass for probe, peaks, loudness, music and labels. */
  phase: "analysis" | "copy" | "pictures";
  /** 0..1 of everything wished. */
  share: number;
}
