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

/**
 * The rows that are wanted, with an empty one where one has left that stood between two that stay: the list knows its rows by their number,
 * so a number that went missing would move what is in view. `left` makes the empty row of a key.
 */
export function holdPlaces<R extends { key: string }>(shown: readonly R[], wanted: readonly R[], left: (key: string) => R): readonly R[] {
  const places = new Map(wanted.map(({ key }, index) => [key, index]));
  if (shown === wanted || shown.every(({ key }) => places.has(key))) return wanted;
  const behind = new Map<number, R[]>();
  let last = -1;
  let gone: R[] = [];
  for (const row of shown) {
    const place = places.get(row.key);
    if (place === undefined) gone.push(row.key.startsWith(LEFT) ? row : left(`${LEFT}${row.key}`));
    else if (place > last) {
      if (last >= 0 && gone.length > 0) behind.set(last, gone);
      gone = [];
      last = place;
    }
  }
  return behind.size === 0 ? wanted : wanted.flatMap((row, index) => [row, ...(behind.get(index) ?? [])]);
}

const LEFT = "left:";
