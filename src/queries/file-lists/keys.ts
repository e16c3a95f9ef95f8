import type { FileListQuery } from "./wish.ts";

export const fileListKeys = {
  all: ["file-lists"] as const,
  /** Everything cached of a project's tree. */
  project: (projectId: number) => ["file-lists", projectId] as const,
  folders: (projectId: number) => ["file-lists", projectId, "folders"] as const,
  facets: (projectId: number) => ["file-lists", projectId, "facets"] as const,
  lists: (projectId: number) => ["file-lists", projectId, "list"] as const,
  list: (projectId: number, query: FileListQuery) => ["file-lists", projectId, "list", query] as const,
};
