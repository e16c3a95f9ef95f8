/** Collects where something happens in the audio. */

/** A part of the audio, in seconds. */
export interface Place {
  from: number;
  to: number;
}

/** Most places kept of one kind, so that the analysis of a badly clipped file stays small. */
export const MAX_PLACES = 100;
/** Seconds between two places below which they are one at first. The gap doubles whenever there are too many places. */
const INITIAL_GAP_SECONDS = 0.25;

/** Merges places that are close to each other, and keeps at most `MAX_PLACES`, the closest of which it merges. */
export class PlaceCollector {
  #places: Place[] = [];
  #gap = INITIAL_GAP_SECONDS;

  /** Places of several channels may arrive out of order. */
  add(from: number, to: number): void {
    const last = this.#places.at(-1);
    if (last && from >= last.from - this.#gap && from <= last.to + this.#gap) {
      last.from = Math.min(last.from, from);
      last.to = Math.max(last.to, to);
      return;
    }
    this.#places.push({ from, to });
    if (this.#places.length > 2 * MAX_PLACES) this.#reduce();
  }

  finish(): Place[] {
    this.#reduce();
    return this.#places.map(({ from, to }) => ({ from: round(from), to: round(to) }));
  }

  #reduce(): void {
    this.#places = merge(this.#places, this.#gap);
    while (this.#places.length > MAX_PLACES) {
      this.#gap *= 2;
      this.#places = merge(this.#places, this.#gap);
    }
  }
}

function merge(places: readonly Place[], gap: number): Place[] {
  const merged: Place[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && place.from <= last.to + gap) last.to = Math.max(last.to, place.to);
    else merged.push({ ...place });
  }
  return merged;
}

const round = (seconds: number): number => Number(seconds.toFixed(3));
