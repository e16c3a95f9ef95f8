import { queryOptions } from "@tanstack/react-query";
import { listTeams } from "../../api/teams.ts";

export const teamQueries = {
  all: () => queryOptions({ queryKey: ["teams"], queryFn: ({ signal }) => listTeams({ signal }), staleTime: 5 * 60_000 }),
};
