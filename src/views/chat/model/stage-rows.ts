/** Splits a change of rows into commits in which the virtual list can hold its place: it keeps sizes by index, from one end at a time. */
export interface Stage<R> {
  rows: readonly R[];
  /** True only where rows came or went at the start and nowhere else. */
  shift: boolean;
  /** False: another commit must follow at once. */
  done: boolean;
}

/** From the rows that are shown towards the rows that are wanted. */
export function stageRows<R extends { key: string }>(shown: readonly R[], wanted: readonly R[]): Stage<R> {
  if (shown === wanted) return { rows: wanted, shift: false, done: true };
  const firstShown = shown[0];
  const firstWanted = wanted[0];
  if (!firstShown || !firstWanted || firstShown.key === firstWanted.key) return { rows: wanted, shift: false, done: true };

  const added = wanted.findIndex(({ key }) => key === firstShown.key);
  const removed = added > 0 ? 0 : shown.findIndex(({ key }) => key === firstWanted.key);
  if (added <= 0 && removed <= 0) return { rows: wanted, shift: false, done: true };

  const delta = added > 0 ? added : -removed;
  if (wanted.length - shown.length === delta) return { rows: wanted, shift: true, done: true };
  // The end changes too: first the start alone, over the rows that are shown now.
  const rows = added > 0 ? [...wanted.slice(0, added), ...shown] : shown.slice(removed);
  return { rows, shift: true, done: false };
}
