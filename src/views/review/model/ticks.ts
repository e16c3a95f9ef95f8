/** The times that stand over a waveform. */

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200];
/** CSS pixels between two times, so that "1:02:03" has room. */
const APART = 88;

/** Round seconds from the beginning to shortly before the end, as many as `width` pixels have room for. */
export function ticksOf(duration: number, width: number): number[] {
  if (!(duration > 0) || !(width > 0)) return [];
  const least = (APART / width) * duration;
  const step = STEPS.find((seconds) => seconds >= least) ?? Math.ceil(least / 3_600) * 3_600;
  const last = duration * (1 - APART / 2 / width);
  return Array.from({ length: Math.max(0, Math.floor(last / step) + 1) }, (_, index) => Math.round(index * step * 10) / 10);
}
