import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Session } from "../../../contract/access-records.ts";
import { sessionQueries } from "./options.ts";

/**
 * Returns the session. Only for views below the session gate, where it is always known; a view that is closing after sign-out keeps its last
 * session.
 */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQueries.current());
  const [lastSession, setLastSession] = useState(data);
  if (data && data !== lastSession) setLastSession(data);
  const session = data ?? lastSession;
  if (!session) throw new Error("A view that needs a session was shown without one");
  return session;
}
