export const messageSearchKeys = { project: (projectId: number) => ["message-search", projectId] as const };
