import { queryOptions } from "@tanstack/react-query";
import { listFileStatuses } from "../../api/statuses.ts";
import { statusKeys } from "./keys.ts";

export const statusQueries = {
  /** The statuses that a team gives its files. They change rarely. */
  ofTeam: (teamId: number) =>
    queryOptions({ queryKey: statusKeys.ofTeam(teamId), queryFn: ({ signal }) => listFileStatuses(teamId, { signal }), staleTime: 5 * 60_000 }),
};
