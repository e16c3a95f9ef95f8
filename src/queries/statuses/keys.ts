import { fileKeys } from "../files/keys.ts";

/** Orders of a team's statuses are sent one after the other. */
export const reorderScope = (teamId: number): string => `statuses:${teamId}`;

export const statusKeys = {
  team: (teamId: number) => ["statuses", teamId] as const,
  history: (fileId: number) => [...fileKeys.file(fileId), "status-history"] as const,
};
