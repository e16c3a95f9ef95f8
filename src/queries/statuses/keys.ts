export const statusKeys = { ofTeam: (teamId: number) => ["statuses", teamId] as const };
