import { useEffect, useState } from "react";
import { useClient } from "../../client/client.ts";

const SECOND_MS = 1_000;

/** Returns the service's time in epoch milliseconds, updated every second while `running`. */
export function useNow(running: boolean): number {
  const { clock } = useClient();
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    if (!running) return;
    setNow(clock.now());
    const timer = setInterval(() => setNow(clock.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [clock, running]);
  return now;
}
