import { useQuery } from "@tanstack/react-query";
import { statusQueries } from "./options.ts";

/** A team's statuses, for who may choose one. */
export const useStatuses = (teamId: number, canChoose: boolean) =>
  useQuery({ ...statusQueries.team(teamId), enabled: canChoose, select: ({ statuses }) => statuses });

/** The same with the one that new uploads begin with. */
export const useTeamStatuses = (teamId: number) => useQuery(statusQueries.team(teamId));
