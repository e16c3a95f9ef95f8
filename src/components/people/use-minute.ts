import { useEffect, useState } from "react";
import { useClient } from "../../client/client.ts";

const MINUTE_MS = 60_000;

/** Returns the service's time in epoch milliseconds, updated as each minute begins. */
export function useMinute(): number {
  const { clock } = useClient();
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(clock.now()), MINUTE_MS - (clock.now() % MINUTE_MS));
    return () => clearTimeout(timer);
  }, [clock, now]);
  return now;
}
