/** Summarizes measured values. */

/** Returns the value that `share` (0 to 1) of the values do not exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns the middle value; of an even number of values the mean of the two in the middle; 0 without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length === 0 ? 0 : ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

export interface Summary {
  median: number;
  lowest: number;
  highest: number;
}

export const summarize = (values: readonly number[]): Summary => ({
  median: median(values),
  lowest: values.length === 0 ? 0 : Math.min(...values),
  highest: values.length === 0 ? 0 : Math.max(...values),
});

/** Divides the values of each round, whose work and yardstick met the same machine. */
export const ratiosOf = (values: readonly number[], yardstick: readonly number[]): number[] =>
  values.slice(0, yardstick.length).map((value, round) => value / (yardstick[round] || Number.NaN));
