/** Recognizes FLAC by its frames, whose headers end with a checksum, and finds its first frame. */

/** Reads up to `length` bytes at `position` of a file; fewer at its end. */
export type Read = (position: number, length: number) => Buffer;

interface FlacFrame {
  /** What is the same in all frames of a stream: block strategy, sample rate, channels, depth. */
  stream: string;
  blockSize: number;
  /** Number of the frame, or of its first sample in a stream of variable block size. */
  number: number;
  headerEnd: number;
}

/** Length in which the next frame of FLAC must be found. */
const FLAC_FRAME_BYTES = 65_536;
/** STREAMINFO is a block of type 0 and of this length. */
const STREAMINFO_BYTES = 34;
const MAX_FLAC_BLOCKS = 200;
/** Samples per channel. FFmpeg's decoder rejects the largest block that the format allows. */
const MIN_FLAC_BLOCK = 16;
const MAX_FLAC_BLOCK = 65_536;

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
  return { stream, blockSize, number, headerEnd: end + 1 };
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

export const isFlacFrame = (bytes: Buffer, at: number): boolean => readFlac(bytes, at) !== null;

/** Returns the stream of FLAC that begins at `at` if the next frame is found. Reads all of the frame, which takes longer than a look at the header. */
export function flacFramesAt(bytes: Buffer, at: number): FlacFrame | null {
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

/** True if `bytes`, from somewhere within the file, contain a frame of the stream, or of any stream if it is null. */
export function hasFlacFrame(bytes: Buffer, stream: string | null): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const found = readFlac(bytes, at);
    if (found && (stream === null || found.stream === stream)) return true;
  }
  return false;
}

/**
 * Returns where FFmpeg can begin to read the FLAC at `start`, or null if it cannot read its blocks. FFmpeg refuses FLAC whose metadata are wrong (RFC 9639,
 * 8.2: STREAMINFO is missing, is not the first block, or declares smaller blocks than there are), and reads the same frames without metadata.
 */
export function readableFlacStart(read: Read, start: number): number | null {
  const head = read(start, 8 + STREAMINFO_BYTES);
  if (head.toString("latin1", 0, 4) !== "fLaC" || head.length < 8 + STREAMINFO_BYTES) return start;
  const hasStreamInfo = head.readUInt32BE(4) % 0x8000_0000 === STREAMINFO_BYTES;
  const maxBlockSize = hasStreamInfo ? head.readUInt16BE(10) : 0;
  let at = start + 4;
  for (let isLast = false, count = 0; !isLast && count < MAX_FLAC_BLOCKS; count += 1) {
    const block = read(at, 4);
    if (block.length < 4) return start;
    isLast = block[0]! >= 0x80;
    at += 4 + block.readUIntBE(1, 3);
  }
  const frame = readFlac(read(at, 64), 0);
  if (frame?.blockSize === MAX_FLAC_BLOCK) return null;
  return frame === null || (maxBlockSize >= MIN_FLAC_BLOCK && frame.blockSize <= maxBlockSize) ? start : at;
}
