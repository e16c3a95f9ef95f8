/**
 * Parses the service's samples for drawing: waveform data files, version 2 of the `.dat` format that BBC audiowaveform documents (doc/DataFormat.md),
 * 8 or 16 bit, and the documented `wave`. Both become the minimum and maximum per point, -1 to 1.
 */

export interface Peaks {
  lows: Float32Array;
  highs: Float32Array;
}

const HEADER_BYTES = 24;
const VERSION = 2;
const EIGHT_BIT = 1;

/** Merges all channels into one minimum and maximum per point; returns null if the bytes are no valid file. */
export function parsePeaks(bytes: ArrayBuffer): Peaks | null {
  if (bytes.byteLength < HEADER_BYTES) return null;
  const view = new DataView(bytes);
  const isEightBit = (view.getUint32(4, true) & EIGHT_BIT) !== 0;
  const length = view.getUint32(16, true);
  const channels = view.getInt32(20, true);
  const bytesPerValue = isEightBit ? 1 : 2;
  if (view.getInt32(0, true) !== VERSION || length === 0 || channels < 1) return null;
  if (bytes.byteLength - HEADER_BYTES < length * channels * 2 * bytesPerValue) return null;
  const fullScale = isEightBit ? 128 : 32_768;
  const sampleAt = (index: number) => (isEightBit ? view.getInt8(HEADER_BYTES + index) : view.getInt16(HEADER_BYTES + index * 2, true)) / fullScale;
  const lows = new Float32Array(length);
  const highs = new Float32Array(length);
  for (let point = 0; point < length; point++) {
    let low = 1;
    let high = -1;
    for (let channel = 0; channel < channels; channel++) {
      const index = (point * channels + channel) * 2;
      low = Math.min(low, sampleAt(index));
      high = Math.max(high, sampleAt(index + 1));
    }
    lows[point] = low;
    highs[point] = high;
  }
  return { lows, highs };
}

/** `wave` contains only amplitudes, so they are mirrored around zero. */
export function waveToPeaks(wave: readonly number[]): Peaks {
  const amplitude = (value: number) => (Number.isFinite(value) ? Math.min(1, Math.abs(value)) : 0);
  return { lows: Float32Array.from(wave, (value) => -amplitude(value)), highs: Float32Array.from(wave, amplitude) };
}

/** Returns the extremes under column `column` of `columns`; if there are more columns than points, those of the point at that column. */
export function extremesAt(lows: ArrayLike<number>, highs: ArrayLike<number>, column: number, columns: number): [low: number, high: number] {
  const points = Math.min(lows.length, highs.length);
  const from = Math.min(points - 1, Math.floor((column * points) / columns));
  const to = Math.max(from + 1, Math.min(points, Math.ceil(((column + 1) * points) / columns)));
  let low = lows[from] ?? 0;
  let high = highs[from] ?? 0;
  for (let point = from + 1; point < to; point++) {
    low = Math.min(low, lows[point]!);
    high = Math.max(high, highs[point]!);
  }
  return [low, high];
}
