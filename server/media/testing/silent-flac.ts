/** Makes a FLAC file of silence by hand: a few bytes per frame, which decode to hundreds of thousands. */

const CHANNELS = 8;
const SAMPLE_RATE = 8_000;

function crc(bits: 8 | 16, polynomial: number, bytes: readonly number[]): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = value & (1 << (bits - 1)) ? ((value << 1) ^ polynomial) & ((1 << bits) - 1) : (value << 1) & ((1 << bits) - 1);
  }
  return value;
}

/** Frame numbers are coded like UTF-8. */
const frameNumber = (value: number): number[] => [...Buffer.from(String.fromCodePoint(value))];

function frame(index: number, blockSize: number): number[] {
  // Sync code, fixed block size; block size in 16 bits, 8 kHz; eight channels, 16 bits a sample.
  const header = [
    0xff,
    0xf8,
    (0b0111 << 4) | 0b0100,
    ((CHANNELS - 1) << 4) | (0b100 << 1),
    ...frameNumber(index),
    (blockSize - 1) >> 8,
    (blockSize - 1) & 0xff,
  ];
  const bytes = [...header, crc(8, 0x07, header)];
  // One constant subframe per channel, of the value 0.
  for (let channel = 0; channel < CHANNELS; channel += 1) bytes.push(0, 0, 0);
  const checksum = crc(16, 0x8005, bytes);
  return [...bytes, checksum >> 8, checksum & 0xff];
}

/** About 40 bytes for each block, eight seconds of eight channels by default. STREAMINFO cannot declare the size of the largest block, 65,536. */
export function silentFlac(minutes: number, blockSize = 65_535): Buffer {
  const frames = Math.ceil((minutes * 60 * SAMPLE_RATE) / blockSize);
  const samples = frames * blockSize;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSize & 0xffff, 0);
  info.writeUInt16BE(blockSize & 0xffff, 2);
  // 20 bits of sample rate, 3 of channels, 5 of bits a sample, 36 of samples.
  info.writeBigUInt64BE((BigInt(SAMPLE_RATE) << 44n) | (BigInt(CHANNELS - 1) << 41n) | (15n << 36n) | BigInt(samples), 10);
  const chunks = [Buffer.from("fLaC"), Buffer.from([0x80, 0, 0, 34]), info];
  for (let index = 0; index < frames; index += 1) chunks.push(Buffer.from(frame(index, blockSize)));
  return Buffer.concat(chunks);
}
