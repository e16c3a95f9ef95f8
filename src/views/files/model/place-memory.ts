/** Stores the scroll position and focused entry of each history entry in memory until the tab closes, so that going back restores them. */
export interface ScrollState {
  /** Pixels from the top of the list. */
  top: number;
  /** Id of the focused entry. */
  current: number | null;
}

const MAX_ENTRIES = 100;
const scrollStates = new Map<string, ScrollState>();

export const getScrollState = (locationKey: string): ScrollState | undefined => scrollStates.get(locationKey);

export function saveScrollState(locationKey: string, changes: Partial<ScrollState>): void {
  const previous = scrollStates.get(locationKey) ?? { top: 0, current: null };
  scrollStates.delete(locationKey);
  scrollStates.set(locationKey, { ...previous, ...changes });
  if (scrollStates.size > MAX_ENTRIES) scrollStates.delete(scrollStates.keys().next().value!);
}
