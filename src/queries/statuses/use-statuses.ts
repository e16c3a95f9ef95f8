import { useQuery } from "@tanstack/react-query";
import { statusQueries } from "./options.ts";

/** Returns a team's statuses, fetched only for users who may choose one. */
export const useStatuses = (teamId: number, canChoose: boolean) =>
  useQuery({ ...statusQueries.team(teamId), enabled: canChoose, select: ({ statuses }) => statuses });

/** Returns a team's statuses with the default of new uploads. */
export const useTeamStatuses = (teamId: number) => useQuery(statusQueries.team(teamId));
