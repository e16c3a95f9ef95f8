import { queryOptions } from "@tanstack/react-query";
import { listGroups } from "../../api/groups.ts";
import { teamQueries } from "../teams/options.ts";

export const groupQueries = {
  /** The groups of all teams that the user can see. */
  all: () =>
    queryOptions({
      queryKey: ["groups"],
      queryFn: async ({ client, signal }) => {
        const teams = await client.ensureQueryData(teamQueries.all());
        return (await Promise.all(teams.map((team) => listGroups(team.id, { signal })))).flat();
      },
      staleTime: 5 * 60_000,
    }),
};
