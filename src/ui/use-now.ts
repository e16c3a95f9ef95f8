import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** The time, told anew each second while `running`. Milliseconds since 1970. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
