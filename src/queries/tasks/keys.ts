export const taskKeys = {
  all: ["tasks"] as const,
  /** Tasks of one file. */
  file: (fileId: number) => ["tasks", "file", fileId] as const,
  folders: ["tasks", "folder"] as const,
  /** Tasks of a folder and of everything in it. */
  folder: (folderId: number) => ["tasks", "folder", folderId] as const,
  /** Tasks of the signed-in user. */
  own: ["tasks", "own"] as const,
  ownOpen: ["tasks", "own", "open"] as const,
  ownClosed: ["tasks", "own", "closed"] as const,
  templates: (teamId: number) => ["tasks", "templates", teamId] as const,
};
