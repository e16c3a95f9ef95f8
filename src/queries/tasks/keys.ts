export const taskKeys = {
  all: ["tasks"] as const,
  /** Those of one file. */
  file: (fileId: number) => ["tasks", "file", fileId] as const,
  folders: ["tasks", "folder"] as const,
  /** Those of a folder and of all that is in it. */
  folder: (folderId: number) => ["tasks", "folder", folderId] as const,
  /** Those of the person who is signed in. */
  own: ["tasks", "own"] as const,
  ownOpen: ["tasks", "own", "open"] as const,
  ownClosed: ["tasks", "own", "closed"] as const,
  templates: (teamId: number) => ["tasks", "templates", teamId] as const,
};
