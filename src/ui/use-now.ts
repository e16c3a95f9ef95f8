import { useEffect, useState } from "react";
import { serviceTime as serviceNow } from "../lib/time.ts";

const SECOND_MS = 1_000;

/** Returns the service's time in epoch milliseconds, updated every second while `running`. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    if (!running) return;
    setNow(serviceNow());
    const timer = setInterval(() => setNow(serviceNow()), SECOND_MS);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
