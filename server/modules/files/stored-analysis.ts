/** Results of processing in the JSON columns of a version. */
import type { Row } from "../../db/schema.ts";

export type VersionAnalysis = Pick<Row<"file_versions">, "probe" | "loudness" | "tags" | "wave">;

export interface Probe {
  annotations: Record<string, unknown>;
  audioEncoding: string | null;
  bitrate: string;
  bitsPerSample: number;
  duration: number;
  channels: number;
  samples: number;
  sampleRate: number;
  width?: number;
  height?: number;
  container?: string;
  /** Hints for people: that the file ends early, that parts are damaged. */
  notes?: string[];
}
export interface Tags {
  bpm: number;
  bpmConfidence: number;
  keys: string[];
  keyConfidence: number;
  /** Set only while `keys` is empty or `bpm` is 0 although the music suggests some, most likely first. */
  keyCandidates?: string[];
  bpmCandidates?: number[];
  genres: [string, number][];
  moods: [string, number][];
  instruments: [string, number][];
  /** Whether the tagging model ran and, if not, why the lists are empty. */
  model: { state: "labeled" | "no-model" | "not-installed" | "failed"; detail?: string };
}

interface PeaksLevel {
  samplesPerPixel: number;
  length: number;
  bytes: number;
  key: string;
}
export interface Peaks {
  channels: number;
  sampleRate: number;
  levels: PeaksLevel[];
}

// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the service parses only JSON that it stored itself
export const parseJson = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));
