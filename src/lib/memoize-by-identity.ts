/** Returns a pure function that computes its result once for each object, which must not change afterwards. */
export function memoizeByIdentity<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    if (!results.has(key)) results.set(key, compute(key));
    return results.get(key) as V;
  };
}
