/**
 * Reads and writes waveform data files: version 2 of the `.dat` layout that BBC audiowaveform documents in
 * doc/DataFormat.md. Little-endian: int32 version (2), uint32 flags (bit 0: 8-bit values), int32 sample rate, int32
 * samples per pixel, uint32 pixels, int32 channels, then for every pixel and channel the lowest and highest value as
 * int8.
 */
export const HEADER_BYTES = 24;
const VERSION = 2;
const EIGHT_BIT = 1;

export interface DatHeader {
  sampleRate: number;
  samplesPerPixel: number;
  /** Pixels in the file. */
  length: number;
  channels: number;
}

export function writeHeader(header: DatHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeInt32LE(VERSION, 0);
  bytes.writeUInt32LE(EIGHT_BIT, 4);
  bytes.writeInt32LE(header.sampleRate, 8);
  bytes.writeInt32LE(header.samplesPerPixel, 12);
  bytes.writeUInt32LE(header.length, 16);
  bytes.writeInt32LE(header.channels, 20);
  return bytes;
}

/** Throws a RangeError if the bytes are not a valid header. */
export function readHeader(bytes: Uint8Array): DatHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getInt32(0, true) !== VERSION || (view.getUint32(4, true) & EIGHT_BIT) === 0) {
    throw new RangeError("not an 8-bit waveform data file of version 2");
  }
  return {
    sampleRate: view.getInt32(8, true),
    samplesPerPixel: view.getInt32(12, true),
    length: view.getUint32(16, true),
    channels: view.getInt32(20, true),
  };
}

export interface Dat extends DatHeader {
  /** Lowest and highest value for every channel of every pixel. */
  values: Int8Array;
}

export function readDat(bytes: Uint8Array): Dat {
  const header = readHeader(bytes);
  const byteCount = header.length * header.channels * 2;
  if (bytes.byteLength - HEADER_BYTES < byteCount) throw new RangeError("the waveform data file is cut short");
  return { ...header, values: new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, byteCount) };
}

/** Returns the byte range `[from, to)` of these pixels in a level file, as used by a Range request. */
export function byteRange(header: DatHeader, fromPixel: number, toPixel: number): { from: number; to: number } {
  const size = header.channels * 2;
  const clamp = (pixel: number): number => Math.min(Math.max(pixel, 0), header.length);
  return { from: HEADER_BYTES + clamp(fromPixel) * size, to: HEADER_BYTES + clamp(toPixel) * size };
}
