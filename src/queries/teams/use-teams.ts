import { useQuery } from "@tanstack/react-query";
import { teamQueries } from "./options.ts";

export const useTeams = () => useQuery(teamQueries.all());
