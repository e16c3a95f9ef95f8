import type { Anchor } from "./history.ts";

export const messageKeys = {
  all: ["messages"] as const,
  project: (projectId: number) => ["messages", projectId] as const,
  history: (projectId: number, anchor: Anchor) => ["messages", projectId, anchor] as const,
};
