export const foundKeys = { project: (projectId: number) => ["message-search", projectId] as const };
