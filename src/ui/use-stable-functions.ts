import { useInsertionEffect, useMemo, useRef } from "react";

/** Returns functions for event handlers that stay the same in every render, each of which runs the latest version of the given one. */
export function useStableFunctions<T extends object>(functions: T): T {
  const latest = useRef(functions);
  useInsertionEffect(() => {
    latest.current = functions;
  });
  return useMemo(() => {
    const run =
      (name: string) =>
      (...values: unknown[]) =>
        (latest.current as Record<string, (...values: unknown[]) => unknown>)[name]!(...values);
    return Object.fromEntries(Object.keys(latest.current).map((name) => [name, run(name)])) as T;
  }, []);
}
