/** Token buckets for requests and frames: each key has a bucket of points that refills evenly, and each use takes its cost. */

export interface BudgetOptions {
  /** Points of a key that has not used any for a while. */
  capacity: number;
  perSecond: number;
  /** The keys that have been unused longest are forgotten beyond this number, with what they have used. */
  maxKeys: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

export type Budget = ReturnType<typeof createBudget>;

export function createBudget({ capacity, perSecond, maxKeys, now = () => performance.now() }: BudgetOptions) {
  /** `unreported`: points spent since the bucket was full, or since they were reported. */
  const states = new Map<string, { points: number; at: number; unreported: number }>();

  function pointsOf(key: string, time: number): number {
    const state = states.get(key);
    return state ? Math.min(capacity, state.points + ((time - state.at) / 1_000) * perSecond) : capacity;
  }

  function store(key: string, points: number, at: number, unreported: number): void {
    // Deleted first, so that the map stays in the order of last use.
    states.delete(key);
    states.set(key, { points, at, unreported });
    if (states.size > maxKeys) states.delete(states.keys().next().value as string);
  }

  return {
    /** Takes the cost and returns 0, or takes nothing and returns the seconds until there are enough points. A cost above the capacity counts as the capacity. */
    spend(key: string, cost = 1): number {
      const time = now();
      const price = Math.min(cost, capacity);
      const points = pointsOf(key, time);
      if (points < price) return (price - points) / perSecond;
      store(key, points - price, time, (points < capacity ? (states.get(key)?.unreported ?? 0) : 0) + price);
      return 0;
    },
    /** Takes points that were spent elsewhere. The key may owe as much as the capacity afterwards, which refills before anything else is spent. */
    charge(key: string, spent: number): void {
      const time = now();
      store(key, Math.max(-capacity, pointsOf(key, time) - spent), time, states.get(key)?.unreported ?? 0);
    },
    /** Returns what a key has spent since the last call, if that is at least `minimum` and has not refilled meanwhile; otherwise 0. */
    report(key: string, minimum: number): number {
      const state = states.get(key);
      if (!state || state.unreported < minimum || pointsOf(key, now()) >= capacity) return 0;
      const { unreported } = state;
      state.unreported = 0;
      return unreported;
    },
  };
}
