/** Applies changes of metadata to what is cached. */
import type { ClientData } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";

export const metadataKeys = {
  all: ["metadata"] as const,
  /** Templates of a team, with their fields. */
  templates: (teamId: number) => ["metadata", "templates", teamId] as const,
  file: (fileId: number) => ["metadata", "file", fileId] as const,
};

/** Refetches the values of a file. */
export const invalidateFileMetadata = (client: ClientData, fileId: number): void => invalidate(client, metadataKeys.file(fileId));
