import { fileKeys } from "../files/keys.ts";

export const statusKeys = {
  ofTeam: (teamId: number) => ["statuses", teamId] as const,
  history: (fileId: number) => [...fileKeys.file(fileId), "status-history"] as const,
};
