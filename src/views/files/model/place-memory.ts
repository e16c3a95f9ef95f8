/** Where each page of the history was left, so that going back leads to the same place. Forgotten with the tab. */
export interface LeftPlace {
  /** Pixels from the top of the list. */
  top: number;
  /** Where the keyboard stood. */
  current: number | null;
}

const MOST = 100;
const places = new Map<string, LeftPlace>();

export const placeAt = (locationKey: string): LeftPlace | undefined => places.get(locationKey);

export function leavePlace(locationKey: string, place: Partial<LeftPlace>): void {
  const known = places.get(locationKey) ?? { top: 0, current: null };
  places.delete(locationKey);
  places.set(locationKey, { ...known, ...place });
  if (places.size > MOST) places.delete(places.keys().next().value!);
}
