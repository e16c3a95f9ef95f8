export const commentKeys = {
  all: ["comments"] as const,
  file: (fileId: number) => ["comments", fileId] as const,
};
