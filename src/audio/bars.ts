/** The wave of a file as so many bars as there is room for. */

/**
 * The loudest value under each of `count` bars, 0 to 1. Where there are more bars than values, a value covers several.
 * Values that are no numbers count as silence.
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

/** The outline of `bars` as SVG path data: one upright stroke per bar, `pitch` apart, in a box `height` high; `stroke` is its width. */
export function barsPath(bars: readonly number[], pitch: number, height: number, stroke: number): string {
  const middle = height / 2;
  // Round ends reach half a stroke further.
  const reach = middle - stroke / 2;
  return bars
    .map((value, bar) => {
      const half = Math.max(0.01, value * reach);
      return `M${round(bar * pitch + pitch / 2)} ${round(middle - half)}V${round(middle + half)}`;
    })
    .join("");
}
const round = (value: number) => Math.round(value * 100) / 100;
