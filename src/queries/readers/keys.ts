export const readerKeys = { all: ["readers"] as const, project: (projectId: number) => ["readers", projectId] as const };
