import { fileKeys } from "../files/keys.ts";

/** Returns the mutation scope in which a team's reorder requests run one after the other. */
export const reorderScope = (teamId: number): string => `statuses:${teamId}`;

export const statusKeys = {
  team: (teamId: number) => ["statuses", teamId] as const,
  history: (fileId: number) => [...fileKeys.file(fileId), "status-history"] as const,
};
