/** Queries the teams and the groups of their projects, and creates groups. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useClient } from "../client/client.ts";
import { createGroup, listGroups, listTeams } from "../api/projects.ts";
import { upsertById } from "./projects.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

export const teamQueries = {
  all: () => queryOptions({ queryKey: ["teams"], queryFn: ({ signal, meta }) => listTeams(meta!.client.api, { signal }), staleTime: 5 * 60_000 }),
};

export const groupQueries = {
  /** The groups of all teams that the user can see. */
  all: () =>
    queryOptions({
      queryKey: ["groups"],
      queryFn: async ({ signal, meta }) => {
        const { api, queryClient } = meta!.client;
        const teams = await queryClient.ensureQueryData(teamQueries.all());
        return (await Promise.all(teams.map((team) => listGroups(api, team.id, { signal })))).flat();
      },
      staleTime: 5 * 60_000,
    }),
};

export const useTeams = () => useQuery(teamQueries.all());

export const useGroups = () => useQuery(groupQueries.all());

/** Resending the same form creates no second group. */
export function useCreateGroup() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: Parameters<typeof createGroup>[1]) => createGroup(client.api, body, idempotencyKeyFor(body)),
    onSuccess: (group) => client.queryClient.setQueryData(groupQueries.all().queryKey, (groups) => upsertById(groups, group)),
  });
}
