/** Computes integrated loudness (ITU-R BS.1770-4) and loudness range (EBU Tech 3342) from the energies of 100 ms steps. */

const OFFSET = -0.691;
const ABSOLUTE_GATE = -70;
const BLOCK_STEPS = 4;
const SHORT_TERM_STEPS = 30;

export const toLufs = (power: number): number => (power > 0 ? OFFSET + 10 * Math.log10(power) : -Infinity);
const toPower = (lufs: number): number => 10 ** ((lufs - OFFSET) / 10);

/** Returns the mean power of every run of `steps` consecutive values. */
function slidingMeans(powers: readonly number[], steps: number): number[] {
  const out: number[] = [];
  let sum = 0;
  for (let i = 0; i < powers.length; i++) {
    sum += powers[i]!;
    if (i >= steps) sum -= powers[i - steps]!;
    if (i >= steps - 1) out.push(Math.max(0, sum) / steps);
  }
  return out;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns LUFS, or null if nothing exceeds the absolute gate or the audio is shorter than one 400 ms block. */
export function integratedLoudness(powers: readonly number[]): number | null {
  const audible = slidingMeans(powers, BLOCK_STEPS).filter((power) => power >= toPower(ABSOLUTE_GATE));
  if (audible.length === 0) return null;
  const relativeGate = mean(audible) * 0.1;
  const gated = audible.filter((power) => power >= relativeGate);
  return gated.length === 0 ? null : toLufs(mean(gated));
}

/** Returns the LU between the 10th and 95th percentile of the gated short-term loudness, or null below three seconds. */
export function loudnessRange(powers: readonly number[]): number | null {
  const audible = slidingMeans(powers, SHORT_TERM_STEPS).filter((power) => power >= toPower(ABSOLUTE_GATE));
  if (audible.length === 0) return null;
  const relativeGate = mean(audible) * 0.01;
  const gated = audible.filter((power) => power >= relativeGate).toSorted((a, b) => a - b);
  const percentile = (share: number): number => gated[Math.round((gated.length - 1) * share)]!;
  return toLufs(percentile(0.95)) - toLufs(percentile(0.1));
}

/** Returns the loudness of the loudest run of `steps` in LUFS: 4 steps are momentary, 30 are short-term. */
export function maxLoudness(powers: readonly number[], steps: number): number | null {
  const max = slidingMeans(powers, steps).reduce((a, b) => Math.max(a, b), 0);
  return max > 0 ? toLufs(max) : null;
}

export const MOMENTARY_STEPS = BLOCK_STEPS;
export { SHORT_TERM_STEPS };
