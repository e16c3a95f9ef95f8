/** Detects what a file contains and where the content begins, from a few of its bytes. Everything that opens a media file uses the result. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { flacFramesAt, hasFlacFrame, isFlacFrame, type Read, readableFlacStart } from "./flac.ts";
import { AC3_SYNC, continuesIn, framesAt, isFreeFormat, MPEG_SYNC } from "./raw-frames.ts";
import { type ContentType, matchSignature } from "./signatures.ts";

export interface Recognition extends ContentType {
  /** Bytes in front of the content: tags, zeros or unrelated bytes. 0 if the demuxer reads the leading tags itself. */
  offset: number;
  /** True if the file begins with an ID3v2 tag. */
  leadingId3: boolean;
  /** First bytes of the content. Shorter than `HEAD_BYTES` only if the file is. */
  head: Buffer;
  /** Size of the file. */
  bytes: number;
}

/** Holds the track lists of Matroska and Ogg, and several frames of any raw stream. */
const HEAD_BYTES = 65_536;
/** How far sound is searched behind unrelated bytes. */
const SEARCH_BYTES = 1 << 19;
/** ID3v2 tags, APEv2 tags and runs of zeros that are skipped in front of the content. There may be `SEARCH_BYTES` of zeros. */
const MAX_LEADING_PARTS = 20;
/** Consecutive frames that make a raw stream where one is expected, and behind unrelated bytes. */
const FRAMES_AT_START = { frames: 2, bytes: 0, atEnd: 1 };
/** The byte order mark of UTF-16 is the beginning of a frame of layer I, and the length of any text may be that of one frame. */
const FRAMES_AGAINST_TEXT = { frames: 3, bytes: 0, atEnd: 2 };
const isUtf16 = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xfe;
const FRAMES_IN_SEARCH = { frames: 4, bytes: 2_000, atEnd: 4 };
/** Places that are looked at more closely in a search, which bounds the time for a file made of false beginnings. */
const MAX_TRIES = { flac: 3, sounds: 8 };

/** Demuxers that read ID3v2 tags in front of their content, with pictures. */
const READS_ID3 = new Set(["mp3", "aac", "flac"]);

/** Beginnings of containers that are searched behind unrelated bytes, by their first four bytes. Longer than their signatures, which occur by chance. */
const EMBEDDED = new Map<number, [pattern: RegExp, type: string, demuxer: string]>(
  (
    [
      ["RIFF", [/^RIFF....WAVE[\w ]{4}...\0/s, "wave", "wav"]],
      ["RF64", [/^RF64....WAVEds64[\x1c-\xff]/s, "wave", "wav"]],
      ["FORM", [/^FORM....AIF[FC](COMM|FVER)/s, "aiff", "aiff"]],
      ["fLaC", [/^fLaC[\0\x80]\0\0\x22/, "flac", "flac"]],
      ["OggS", [/^OggS\0\x02\0{8}/, "ogg", "ogg"]],
    ] as const
  ).map(([magic, entry]) => [Buffer.from(magic).readUInt32BE(0), [...entry]]),
);
const EMBEDDED_BYTES = 20;
/** In the second byte of MPEG audio. Its frames look like numbers below zero in tables, of which programs have many; it is hardly used any more. */
const LAYER_ONE = 0xe6;
/** 1 for bytes with which containers and frames begin. */
const FIRST_BYTES = new Uint8Array(256);
for (const byte of [...Buffer.from("RFfO"), MPEG_SYNC, AC3_SYNC]) FIRST_BYTES[byte] = 1;

interface Found extends ContentType {
  /** Where the content begins. */
  start: number;
  /** True if there are only ID3v2 tags in front of it. */
  isTagged?: boolean;
}

/** Recognizes the regular file at `path`. Reads at most about three megabytes, usually 64 kB, and takes a few milliseconds. */
export function recognize(path: string): Recognition {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const read: Read = (position, length) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, position));
    };
    const { start, isTagged, ...content } = find(read, size);
    const offset = isTagged && READS_ID3.has(content.demuxer!) ? 0 : start;
    const found = { ...content, offset, leadingId3: id3Length(read(0, 10)) > 0, head: read(start, HEAD_BYTES), bytes: size };
    return content.type === "flac" ? withFlacStart(read, start, found) : found;
  } finally {
    closeSync(file);
  }
}

function withFlacStart(read: Read, start: number, found: Recognition): Recognition {
  const readableStart = readableFlacStart(read, start);
  if (readableStart === null) return { ...found, type: "flac-65536", demuxer: null };
  return readableStart === start ? found : { ...found, offset: readableStart };
}

function find(read: Read, size: number): Found {
  const atStart = contentAt(read, 0, size);
  if (atStart) return { ...atStart, start: 0 };
  let end = 0;
  let isTagged = true;
  let zeroCount = 0;
  for (let count = 0; count < MAX_LEADING_PARTS; count += 1) {
    const id3 = id3Length(read(end, 10));
    const tag = id3 || apeLength(read(end, 32));
    const length = tag || zeros(read(end, SEARCH_BYTES - zeroCount));
    if (length === 0) break;
    if (tag === 0) zeroCount += length;
    isTagged &&= id3 > 0;
    end += length;
    const content = contentAt(read, end, size);
    if (content?.type === "mp4") return { kind: "media", type: "shifted-mp4", demuxer: null, start: end };
    if (content?.kind === "media") return { ...content, start: end, isTagged };
  }
  return search(read, end, size) ?? (end > 0 ? search(read, 0, size) : null) ?? { kind: "document", type: "unknown", demuxer: null, start: 0 };
}

function contentAt(read: Read, offset: number, size: number): ContentType | null {
  const head = read(offset, HEAD_BYTES);
  const isWhole = offset + head.length === size;
  const frame = framesAt(head, 0, isUtf16(head) ? FRAMES_AGAINST_TEXT : FRAMES_AT_START, isWhole);
  if (frame) return { kind: "media", type: frame.type, demuxer: frame.demuxer };
  if (flacFramesAt(head, 0)) return { kind: "media", type: "flac", demuxer: "flac" };
  return matchSignature(head) ?? (isFreeFormat(head) ? { kind: "media", type: "free-format", demuxer: null } : null);
}

/** ID3v2.4, 3.1: the size has four times seven bits and excludes the header and the footer. */
function id3Length(head: Buffer): number {
  if (!/^ID3[\x02-\x04][^\xff].[\0-\x7f]{4}$/s.test(head.toString("latin1"))) return 0;
  const size = head.subarray(6).reduce((sum, byte) => sum * 128 + byte, 0);
  return 10 + size + (head[5]! & 0x10 ? 10 : 0);
}

/** APEv2: the size excludes the header. */
const apeLength = (head: Buffer): number => (head.length === 32 && head.toString("latin1", 0, 8) === "APETAGEX" ? 32 + head.readUInt32LE(12) : 0);

function zeros(bytes: Buffer): number {
  let end = 0;
  while (bytes[end] === 0) end += 1;
  return end;
}

/** Looks for sound that begins behind unrelated bytes and goes on to the end of the file. */
function search(read: Read, start: number, size: number): Found | null {
  const bytes = read(start, SEARCH_BYTES + HEAD_BYTES);
  const isWhole = start + bytes.length === size;
  const tries = { ...MAX_TRIES };
  for (let at = 0; at < Math.min(bytes.length, SEARCH_BYTES) && tries.sounds > 0; at += 1) {
    const sound = FIRST_BYTES[bytes[at]!] === 1 ? soundAt(bytes, at, isWhole, tries) : null;
    if (!sound) continue;
    if (fillsTheRest(read, start + at, size, sound)) return { kind: "media", type: sound.type, demuxer: sound.demuxer, start: start + at };
    tries.sounds -= 1;
  }
  return null;
}

/** `stream` is null for containers. */
interface Sound {
  type: string;
  demuxer: string;
  stream: string | null;
}

function soundAt(bytes: Buffer, at: number, isWhole: boolean, tries: { flac: number }): Sound | null {
  const first = bytes[at];
  if (first === MPEG_SYNC || first === AC3_SYNC) {
    if (first === MPEG_SYNC && (bytes[at + 1]! & 0xe6) === LAYER_ONE) return null;
    const frames = framesAt(bytes, at, FRAMES_IN_SEARCH, isWhole);
    if (frames || tries.flac === 0 || !isFlacFrame(bytes, at)) return frames;
    tries.flac -= 1;
    const flac = flacFramesAt(bytes, at);
    return flac && { type: "flac", demuxer: "flac", stream: flac.stream };
  }
  const candidate = at + EMBEDDED_BYTES <= bytes.length ? EMBEDDED.get(bytes.readUInt32BE(at)) : undefined;
  if (!candidate) return null;
  const [pattern, type, demuxer] = candidate;
  return pattern.test(bytes.toString("latin1", at, at + EMBEDDED_BYTES)) ? { type, demuxer, stream: null } : null;
}

/** True if the sound at `at` makes up at least half of the rest. A document may contain a short sound, which does not make it one. */
function fillsTheRest(read: Read, at: number, size: number, { type, stream }: Sound): boolean {
  const rest = size - at;
  if (type === "wave" || type === "aiff") {
    const head = read(at, 8);
    // The largest number means unknown.
    return (type === "wave" ? head.readUInt32LE(4) : head.readUInt32BE(4)) >= rest / 2;
  }
  const middle = read(Math.max(at + 1, at + Math.floor(rest / 2) - HEAD_BYTES), 2 * HEAD_BYTES);
  if (type === "ogg") return middle.includes("OggS");
  return type === "flac" ? hasFlacFrame(middle, stream) : continuesIn(middle, type, stream);
}
