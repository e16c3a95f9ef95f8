export const fileKeys = {
  all: ["files"] as const,
  /** Everything cached of one file. */
  file: (fileId: number) => ["files", fileId] as const,
  info: (fileId: number) => ["files", fileId, "info"] as const,
  /** The infos of single versions. */
  versions: (fileId: number) => ["files", fileId, "version"] as const,
  peaks: (fileId: number) => ["files", fileId, "peaks"] as const,
};
