/** Computes a waveform as bars that fit the available width. */

/**
 * Returns the loudest value under each of `count` bars, 0 to 1. If there are more bars than values, one value covers several bars. Non-numeric values
 * count as silence.
 */
export function computeBars(wave: readonly number[], count: number): number[] {
  if (wave.length === 0 || count < 1) return [];
  return Array.from({ length: Math.floor(count) }, (_, bar) => {
    const from = Math.floor((bar * wave.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * wave.length) / count));
    let loudest = 0;
    for (let index = from; index < to; index++) {
      const value = Math.abs(wave[index]!);
      if (value > loudest) loudest = value;
    }
    return Math.min(1, loudest);
  });
}

/** Returns `bars` as SVG path data: one vertical stroke per bar, `pitch` apart, in a box `height` high; `stroke` is the stroke width. */
export function barsPath(bars: readonly number[], pitch: number, height: number, stroke: number): string {
  const middle = height / 2;
  // Round caps extend each stroke by half its width.
  const reach = middle - stroke / 2;
  return bars
    .map((value, bar) => {
      const half = Math.max(0.01, value * reach);
      return `M${round(bar * pitch + pitch / 2)} ${round(middle - half)}V${round(middle + half)}`;
    })
    .join("");
}
const round = (value: number) => Math.round(value * 100) / 100;
