import { useEffect, useRef, useState } from "react";

/** Runs the latest callback `ms` milliseconds after a start; unmounting cancels it. The callback can restart the timer. */
export function useTimer(callback: (restart: () => void) => void, ms: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latestCallback = useRef(callback);
  useEffect(() => {
    latestCallback.current = callback;
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  const cancel = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const restart = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latestCallback.current(restart);
    }, ms);
  };
  const startOnce = () => {
    if (timer.current === undefined) restart();
  };
  return { restart, startOnce, cancel };
}

/** Holds a value that resets to null `ms` milliseconds after it was last set. */
export function useTransientState<T>(ms: number): [T | null, (value: T | null) => void] {
  const [value, setValue] = useState<T | null>(null);
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => setValue(null), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return [value, setValue];
}
