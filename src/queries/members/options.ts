import { queryOptions } from "@tanstack/react-query";
import { listMembers } from "../../api/members.ts";

export const memberQueries = {
  /** Everybody whom the user can see. */
  all: () => queryOptions({ queryKey: ["members"], queryFn: ({ signal }) => listMembers({ signal }), staleTime: 60_000 }),
};
