/** Reads what FFmpeg does not expose of a broadcast WAV: time reference, markers, recording code, declared size. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Marker {
  /** Seconds from the start. */
  at: number;
  label: string;
}

export interface Riff {
  /** Samples since midnight (EBU Tech 3285, chunk `bext`). */
  timeReference: number | null;
  markers: Marker[];
  /** International Standard Recording Code from the chunk `iXML` or `axml` (EBU Tech 3352). */
  isrc: string | null;
  /** True if the header declares more sample bytes than the file has. */
  truncated: boolean;
}

const MAX_CHUNKS = 1_000;
const MAX_MARKERS = 1_000;
const MAX_CHUNK_BYTES = 1 << 20;
/** As an element or an identifier in XML. */
const ISRC = /\bISRC\s*[:>]\s*([A-Z]{2}-?[A-Z0-9]{3}-?\d{2}-?\d{5})\b/i;
/** Chunk size that means unknown (while recording), or that the size is in `ds64`. */
const UNKNOWN_SIZE = 0xffff_ffff;

const readLatin1 = (bytes: Buffer, from: number, to: number): string =>
  bytes
    .toString("latin1", from, to)
    .replace(/\0[^]*$/, "")
    .trim();

/** Returns null if there is no RIFF/WAVE at byte `start`. Reads only chunk headers and at most 1 MB of any chunk. */
export function readRiff(path: string, start = 0): Riff | null {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const head = Buffer.alloc(12);
    if (readSync(file, head, 0, 12, start) < 12 || !/^(RIFF|RF64|BW64)....WAVE$/s.test(head.toString("latin1"))) return null;
    return readChunks(file, start, size);
  } finally {
    closeSync(file);
  }
}

function readChunks(file: number, start: number, size: number): Riff {
  const riff: Riff = { timeReference: null, markers: [], isrc: null, truncated: false };
  const cuePoints = new Map<number, number>();
  const labels = new Map<number, string>();
  let rate = 0;
  let ds64Size = 0;
  const head = Buffer.alloc(8);
  for (let at = start + 12, n = 0; at + 8 <= size && n < MAX_CHUNKS; n++) {
    readSync(file, head, 0, 8, at);
    const id = head.toString("latin1", 0, 4);
    const declaredSize = head.readUInt32LE(4);
    const length = id === "data" && declaredSize === UNKNOWN_SIZE && ds64Size > 0 ? ds64Size : declaredSize;
    if (id === "data") riff.truncated = declaredSize !== UNKNOWN_SIZE ? at + 8 + length > size : ds64Size > 0 && at + 8 + ds64Size > size;
    else if (length > 0 && at + 8 + length <= size) {
      const bytes = Buffer.alloc(Math.min(length, MAX_CHUNK_BYTES));
      readSync(file, bytes, 0, bytes.length, at + 8);
      if (id === "ds64" && bytes.length >= 16) ds64Size = Number(bytes.readBigUInt64LE(8));
      else if (id === "fmt " && bytes.length >= 8) rate = bytes.readUInt32LE(4);
      else if (id === "bext" && bytes.length >= 346) riff.timeReference = Number(bytes.readBigUInt64LE(338));
      else if (id === "iXML" || id === "axml") riff.isrc ??= ISRC.exec(bytes.toString("latin1"))?.[1] ?? null;
      else if (id === "cue ") readCues(bytes, cuePoints);
      else if (id === "LIST" && readLatin1(bytes, 0, 4) === "adtl") readLabels(bytes, labels);
    }
    at += 8 + length + (length % 2);
  }
  if (rate > 0) {
    riff.markers = [...cuePoints].map(([id, sample]) => ({ at: sample / rate, label: labels.get(id) ?? "" })).toSorted((a, b) => a.at - b.at);
  }
  return riff;
}

function readCues(bytes: Buffer, cuePoints: Map<number, number>): void {
  const count = Math.min(bytes.length >= 4 ? bytes.readUInt32LE(0) : 0, MAX_MARKERS);
  for (let n = 0; n < count && 4 + (n + 1) * 24 <= bytes.length; n++) {
    cuePoints.set(bytes.readUInt32LE(4 + n * 24), bytes.readUInt32LE(4 + n * 24 + 20));
  }
}

function readLabels(bytes: Buffer, labels: Map<number, string>): void {
  for (let at = 4; at + 12 <= bytes.length && labels.size < MAX_MARKERS;) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "labl") {
      labels.set(bytes.readUInt32LE(at + 8), bytes.toString("utf8", at + 12, Math.min(bytes.length, at + 8 + length)).replace(/\0[^]*$/, ""));
    }
    at += 8 + length + (length % 2);
  }
}
