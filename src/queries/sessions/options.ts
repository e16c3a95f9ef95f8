import { queryOptions } from "@tanstack/react-query";
import { listSessions } from "../../api/sessions.ts";

export const sessionListQueries = {
  /** The browsers in which the user is signed in. */
  all: () => queryOptions({ queryKey: ["sessions"], queryFn: ({ signal }) => listSessions({ signal }) }),
};
