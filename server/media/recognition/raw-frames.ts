/** Recognizes sound that is stored as bare frames, without a container: MPEG audio, ADTS, LOAS and AC-3. */

/** A frame's header is a few bytes that occur by chance too, so a stream is recognized by frames that follow each other. */
export interface RawFrame {
  type: "mpeg-audio" | "adts" | "loas" | "ac3";
  demuxer: "mp3" | "aac" | "loas" | "ac3" | "eac3";
  /** Length in bytes. */
  bytes: number;
  /** What is the same in all frames of a stream: sample rate, version, layer. */
  stream: string;
}

/** First bytes of frames; that of MPEG audio is also that of ADTS and FLAC. */
export const [MPEG_SYNC, AC3_SYNC] = [0xff, 0x0b];
const LOAS_SYNC = 0x56;
/** Lengths of frames without a declared bit rate, in bytes. */
const MIN_FREE_FRAME = 24;
const MAX_FREE_FRAME = 8_192;
const TWO_FRAMES = { frames: 2, bytes: 0, atEnd: 2 };

/** Bit rates in kb/s by index, from 1 on, for layer I, II and III of MPEG 1 and layer I and II/III of MPEG 2 and 2.5 (ISO 11172-3, 13818-3). */
const MPEG1_BIT_RATES = [
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
] as const;
const MPEG2_LOW_RATES = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const MPEG2_BIT_RATES = [[32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256], MPEG2_LOW_RATES, MPEG2_LOW_RATES] as const;
const MPEG1_SAMPLE_RATES = [44_100, 48_000, 32_000] as const;
/** Divisor of the sample rate by version: 2.5, reserved, 2, 1. */
const RATE_DIVISORS = [4, 0, 2, 1] as const;

const AC3_BIT_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640] as const;
const AC3_SAMPLE_RATES = [48_000, 44_100, 32_000] as const;
/** Larger bitstream ids are E-AC-3 (ETSI TS 102 366, annex E). */
const AC3_MAX_ID = 10;
const EAC3_MAX_ID = 16;

/** Reads the header of the frame at `at`. */
function readFrame(bytes: Buffer, at: number): RawFrame | null {
  if (at + 7 > bytes.length) return null;
  const first = bytes[at]!;
  const second = bytes[at + 1]!;
  if (first === AC3_SYNC && second === 0x77) return readAc3(bytes, at);
  if (first === LOAS_SYNC && (second & 0xe0) === 0xe0) return readLoas(bytes, at);
  if (first !== MPEG_SYNC || (second & 0xe0) !== 0xe0) return null;
  return (second & 0xf6) === 0xf0 ? readAdts(bytes, at) : readMpegAudio(bytes, at);
}

function readMpegAudio(bytes: Buffer, at: number): RawFrame | null {
  const [second, third, fourth] = [bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!];
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const rateIndex = (third >> 2) & 3;
  const divisor = RATE_DIVISORS[version]!;
  const kilobits = (divisor === 1 ? MPEG1_BIT_RATES : MPEG2_BIT_RATES)[layer - 1]?.[(third >> 4) - 1];
  const isReserved = divisor === 0 || (divisor === 4 && layer !== 3) || rateIndex === 3 || (fourth & 3) === 2;
  if (isReserved || !kilobits) return null;
  const sampleRate = MPEG1_SAMPLE_RATES[rateIndex]! / divisor;
  const padding = (third >> 1) & 1;
  const slots = (layer === 3 && divisor > 1 ? 72 : 144) * kilobits * 1_000;
  const length = layer === 1 ? (Math.floor((12_000 * kilobits) / sampleRate) + padding) * 4 : Math.floor(slots / sampleRate) + padding;
  return { type: "mpeg-audio", demuxer: "mp3", bytes: length, stream: `${layer} ${sampleRate}` };
}

function readAdts(bytes: Buffer, at: number): RawFrame | null {
  const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at, at + 6);
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  const rateIndex = (third >> 2) & 15;
  return rateIndex > 12 || length < 8 ? null : { type: "adts", demuxer: "aac", bytes: length, stream: `${second} ${third & 0xfd}` };
}

/** MPEG-4 audio with a header per frame, as in digital radio (ISO 14496-3, 1.7.2). */
function readLoas(bytes: Buffer, at: number): RawFrame {
  return { type: "loas", demuxer: "loas", bytes: (((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!) + 3, stream: "" };
}

function readAc3(bytes: Buffer, at: number): RawFrame | null {
  const [, , third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at, at + 6);
  const id = sixth >> 3;
  if (id > AC3_MAX_ID && id <= EAC3_MAX_ID)
    return { type: "ac3", demuxer: "eac3", bytes: ((((third & 7) << 8) | fourth) + 1) * 2, stream: `${id} ${fifth >> 6}` };
  const sampleRate = AC3_SAMPLE_RATES[fifth >> 6];
  const kilobits = AC3_BIT_RATES[(fifth & 63) >> 1];
  if (id > AC3_MAX_ID || !sampleRate || !kilobits) return null;
  const words = Math.floor((kilobits * 96_000) / sampleRate) + (sampleRate === 44_100 ? fifth & 1 : 0);
  return { type: "ac3", demuxer: "ac3", bytes: words * 2, stream: `${id} ${fifth >> 6}` };
}

/** How many consecutive frames, and bytes of them, make a stream, and how many do at the end of the file. */
interface FrameRun {
  frames: number;
  bytes: number;
  atEnd: number;
}

/** Frames of which the last may be cut by the end of the file. */
const FRAMES_BEFORE_CUT = 4;
/** Length of an ID3v1 tag, which may follow the last frame. */
const ID3V1_BYTES = 128;

/** Returns the stream whose frames begin at `at`, or null if too few follow each other there. `isWhole` is true if `bytes` end where the file ends. */
export function framesAt(bytes: Buffer, at: number, min: FrameRun, isWhole = false): RawFrame | null {
  const first = readFrame(bytes, at);
  if (!first) return null;
  let position = at + first.bytes;
  for (let count = 1; count < min.frames || position < at + min.bytes; count += 1) {
    const rest = bytes.length - position;
    const isLast = rest === 0 || rest === ID3V1_BYTES || (rest < 0 && count >= FRAMES_BEFORE_CUT);
    if (isWhole && count >= min.atEnd && isLast) return first;
    const frame = readFrame(bytes, position);
    if (frame?.type !== first.type || frame.stream !== first.stream) return null;
    position += frame.bytes;
  }
  return first;
}

/** True if MPEG audio begins here whose headers declare no bit rate, so that only the distance of the frames tells their length. */
export function isFreeFormat(bytes: Buffer): boolean {
  const [sync, second = 0, third = 0] = bytes;
  const layerBits = (second >> 1) & 3;
  if (sync !== MPEG_SYNC || (second & 0xe0) !== 0xe0 || RATE_DIVISORS[(second >> 3) & 3] === 0 || layerBits === 0 || third >> 4 !== 0) return false;
  const isSame = (at: number): boolean => bytes[at] === sync && bytes[at + 1] === second && (bytes[at + 2]! & 0xfc) === (third & 0xfc);
  for (let length = MIN_FREE_FRAME; length <= MAX_FREE_FRAME; length += 1) {
    // A frame may be one slot longer than others.
    if (isSame(length) && [-1, 0, 1].some((slot) => isSame(2 * length + slot) && [-1, 0, 1].some((next) => isSame(3 * length + slot + next)))) return true;
  }
  return false;
}

/** True if `bytes`, from somewhere within the file, contain frames of the stream. */
export function continuesIn(bytes: Buffer, type: string, stream: string | null): boolean {
  const sync = type === "ac3" ? AC3_SYNC : MPEG_SYNC;
  for (let at = bytes.indexOf(sync); at >= 0; at = bytes.indexOf(sync, at + 1)) {
    const found = framesAt(bytes, at, TWO_FRAMES);
    if (found?.type === type && found.stream === stream) return true;
  }
  return false;
}
