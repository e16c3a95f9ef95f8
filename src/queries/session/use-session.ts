import { useSuspenseQuery } from "@tanstack/react-query";
import { sessionQueries } from "./options.ts";

/** Who is signed in. Only below the gate: there it is always known. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQueries.current());
  if (!data) throw new Error("A view that needs a session was shown without one");
  return data;
}
