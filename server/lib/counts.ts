/** Counts what each key holds at the same time. Keys that hold nothing take no memory. */
export function createCounts() {
  const counts = new Map<string, number>();
  return {
    get: (key: string): number => counts.get(key) ?? 0,
    /** Counts one more. Returns a function that counts it no longer. */
    add(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
