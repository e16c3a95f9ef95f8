/** Queries the teams and the groups of their projects, and creates groups. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { createGroup, listGroups, listTeams } from "../../contract/operations/teams.ts";
import type { BodyOf } from "../api/http.ts";
import { upsertById } from "./lists.ts";
import { fetchAllPages, fetchData, useOperation } from "./operations.ts";

export const teamQueries = {
  all: () => queryOptions({ queryKey: ["teams"], queryFn: fetchData(listTeams, { body: {} }), staleTime: 5 * 60_000 }),
};

export const groupQueries = {
  /** The groups of all teams that the user can see. */
  all: () =>
    queryOptions({
      queryKey: ["groups"],
      queryFn: async ({ signal, meta }) => {
        const { api, queryClient } = meta!.client;
        const teams = await queryClient.ensureQueryData(teamQueries.all());
        const groups = teams.map(({ id }) => fetchAllPages((cursor) => api.call(listGroups, { body: { team_id: id, cursor } }, { signal })));
        return (await Promise.all(groups)).flat();
      },
      staleTime: 5 * 60_000,
    }),
};

export const useTeams = () => useQuery(teamQueries.all());

export const useGroups = () => useQuery(groupQueries.all());

export const useCreateGroup = () =>
  useOperation(createGroup, (body: BodyOf<typeof createGroup>) => ({ body }), {
    isIdempotent: true,
    onSuccess: ({ queryClient }, group) => queryClient.setQueryData(groupQueries.all().queryKey, upsertById(group)),
  });
