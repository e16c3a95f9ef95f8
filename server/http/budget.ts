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
  const states = new Map<string, { points: number; at: number }>();

  function pointsOf(key: string, time: number): number {
    const state = states.get(key);
    return state ? Math.min(capacity, state.points + ((time - state.at) / 1_000) * perSecond) : capacity;
  }

  return {
    /** Takes the cost and returns 0, or takes nothing and returns the seconds until there are enough points. A cost above the capacity counts as the capacity. */
    spend(key: string, cost = 1): number {
      const time = now();
      const price = Math.min(cost, capacity);
      const points = pointsOf(key, time);
      if (points < price) return (price - points) / perSecond;
      // Deleted first, so that the map stays in the order of last use.
      states.delete(key);
      states.set(key, { points: points - price, at: time });
      if (states.size > maxKeys) states.delete(states.keys().next().value as string);
      return 0;
    },
  };
}
