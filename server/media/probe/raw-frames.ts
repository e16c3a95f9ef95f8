/** Recognizes sound that is stored as bare frames, without a container: MPEG audio, ADTS, LOAS, AC-3 and FLAC. */

/** A frame's header is a few bytes that occur by chance too, so a stream is recognized by frames that follow each other. */
export interface RawFrame {
  type: "mpeg-audio" | "adts" | "loas" | "ac3" | "flac";
  demuxer: "mp3" | "aac" | "loas" | "ac3" | "eac3" | "flac";
  /** Length in bytes, or 0 for FLAC, whose frames do not declare it. */
  bytes: number;
  /** What is the same in all frames of a stream: sample rate, version, layer. */
  stream: string;
}

interface FlacFrame extends RawFrame {
  blockSize: number;
  /** Number of the frame, or of its first sample in a stream of variable block size. */
  number: number;
  headerEnd: number;
}

/** First bytes of frames; that of MPEG audio is also that of ADTS and FLAC. */
export const [MPEG_SYNC, AC3_SYNC] = [0xff, 0x0b];
const LOAS_SYNC = 0x56;
/** Lengths of frames without a declared bit rate, in bytes. */
const MIN_FREE_FRAME = 24;
const MAX_FREE_FRAME = 8_192;
const TWO_FRAMES = { frames: 2, bytes: 0, atEnd: 2 };
/** Length in which the next frame of FLAC must be found. */
const FLAC_FRAME_BYTES = 65_536;

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

/** Reads the header of a FLAC frame, which ends with a checksum (RFC 9639, 9.1). */
function readFlac(bytes: Buffer, at: number): FlacFrame | null {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xfe) !== 0xf8 || at + 16 > bytes.length) return null;
  const [, strategy = 0, sizes = 0, channels = 0, coded = 0] = bytes.subarray(at, at + 5);
  const [blockCode, rateCode, depthCode] = [sizes >> 4, sizes & 15, (channels >> 1) & 7];
  if (blockCode === 0 || rateCode === 15 || channels >> 4 > 10 || depthCode === 3 || (channels & 1) === 1) return null;
  // The number is coded as UTF-8 codes characters, in up to seven bytes.
  const leadingOnes = Math.clz32(~(coded << 24));
  const numberBytes = leadingOnes === 0 ? 1 : leadingOnes;
  if (leadingOnes === 1 || leadingOnes > 7) return null;
  let number = leadingOnes === 0 ? coded : coded & (0x7f >> leadingOnes);
  const numberEnd = at + 4 + numberBytes;
  for (let position = at + 5; position < numberEnd; position += 1) number = number * 64 + (bytes[position]! & 0x3f);
  const sizeBytes = blockCode === 6 ? 1 : blockCode === 7 ? 2 : 0;
  const commonSize = blockCode === 1 ? 192 : blockCode <= 5 ? 144 << blockCode : 1 << blockCode;
  const blockSize = sizeBytes > 0 ? bytes.readUIntBE(numberEnd, sizeBytes) + 1 : commonSize;
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const end = numberEnd + sizeBytes + rateBytes;
  if (checksum(bytes, at, end) !== bytes[end]) return null;
  // Stereo may be coded in four ways, which change from frame to frame.
  const channelCount = channels >> 4 < 8 ? (channels >> 4) + 1 : 2;
  const stream = `${strategy} ${rateCode} ${channelCount} ${depthCode}`;
  return { type: "flac", demuxer: "flac", bytes: 0, stream, blockSize, number, headerEnd: end + 1 };
}

/** CRC-8 with the polynomial x^8 + x^2 + x + 1. */
function checksum(bytes: Buffer, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at += 1) {
    crc ^= bytes[at]!;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return crc;
}

/** How many consecutive frames, and bytes of them, make a stream, and how many do at the end of the file. */
interface FrameRun {
  frames: number;
  bytes: number;
  atEnd: number;
}

/** Length of an ID3v1 tag, which may follow the last frame. */
const ID3V1_BYTES = 128;

/** Returns the stream whose frames begin at `at`, or null if too few follow each other there. `isWhole` is true if `bytes` end where the file ends. */
export function framesAt(bytes: Buffer, at: number, min: FrameRun, isWhole = false): RawFrame | null {
  const first = readFrame(bytes, at);
  if (!first) return null;
  let position = at + first.bytes;
  for (let count = 1; count < min.frames || position < at + min.bytes; count += 1) {
    const rest = bytes.length - position;
    if (isWhole && count >= min.atEnd && (rest === 0 || rest === ID3V1_BYTES)) return first;
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

/** Returns the samples per channel of the FLAC frame whose header is at `at`, or null if there is none. */
export const flacBlockSize = (bytes: Buffer, at: number): number | null => readFlac(bytes, at)?.blockSize ?? null;

/** Returns the stream of FLAC that begins at `at` if the next frame is found. Reads all of the frame, which takes longer than a look at the header. */
export function flacFramesAt(bytes: Buffer, at: number): RawFrame | null {
  const first = readFlac(bytes, at);
  if (!first) return null;
  const isVariable = first.stream.startsWith("249");
  const nextNumber = first.number + (isVariable ? first.blockSize : 1);
  const end = Math.min(bytes.length, first.headerEnd + FLAC_FRAME_BYTES);
  for (let position = bytes.indexOf(0xff, first.headerEnd); position >= 0 && position < end; position = bytes.indexOf(0xff, position + 1)) {
    const frame = readFlac(bytes, position);
    if (frame?.stream === first.stream && frame.number === nextNumber) return first;
  }
  return null;
}

/** True if `bytes`, from somewhere within the file, contain frames of the stream, or of any stream of the type if `stream` is null. */
export function continuesIn(bytes: Buffer, type: string, stream: string | null): boolean {
  const sync = type === "ac3" ? AC3_SYNC : MPEG_SYNC;
  for (let at = bytes.indexOf(sync); at >= 0; at = bytes.indexOf(sync, at + 1)) {
    const found = type === "flac" ? readFlac(bytes, at) : framesAt(bytes, at, TWO_FRAMES);
    if (found?.type === type && (stream === null || found.stream === stream)) return true;
  }
  return false;
}
