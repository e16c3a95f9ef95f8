import { useEffect, useState } from "react";
import { serviceTime } from "../lib/time.ts";

const SECOND_MS = 1_000;

/** Returns the service's time in epoch milliseconds, updated every second while `running`. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(serviceTime);
  useEffect(() => {
    if (!running) return;
    setNow(serviceTime());
    const timer = setInterval(() => setNow(serviceTime()), SECOND_MS);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
