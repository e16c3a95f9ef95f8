import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Session } from "../../../contract/access-records.ts";
import { sessionQueries } from "./options.ts";

/** Who is signed in. Only below the gate: there it is always known. A view that is being left by signing out keeps the person it was drawn for. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQueries.current());
  const [lastSession, setLastSession] = useState(data);
  if (data && data !== lastSession) setLastSession(data);
  const session = data ?? lastSession;
  if (!session) throw new Error("A view that needs a session was shown without one");
  return session;
}
