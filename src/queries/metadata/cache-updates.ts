/** Applies changes of metadata to what is cached. */
import type { FileMetadata } from "../../../contract/metadata-records.ts";
import type { ClientData } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";

export const metadataKeys = {
  all: ["metadata"] as const,
  /** Templates of a team, with their fields. */
  templates: (teamId: number) => ["metadata", "templates", teamId] as const,
  file: (fileId: number) => ["metadata", "file", fileId] as const,
  /** Values of several files together. */
  allOfFiles: ["metadata", "files"] as const,
  files: (projectId: number, fileIds: readonly number[]) => ["metadata", "files", projectId, fileIds] as const,
  /** How many values a template's deletion would take. */
  usage: (templateId: number) => ["metadata", "usage", templateId] as const,
};

/** Shows the values of a file, unless newer ones are shown already. */
export const upsertFileMetadata = ({ queryClient }: ClientData, metadata: FileMetadata): unknown =>
  queryClient.setQueryData<FileMetadata>(metadataKeys.file(metadata.file_id), (shown) => (shown && shown.revision > metadata.revision ? shown : metadata));

/** The queue of changes of a team's templates. */
export const templatesQueue = (teamId: number): string => `metadata-templates-${teamId}`;

/** Returns how many moves of templates or fields are waiting or in flight. */
export const countTemplateMoves = ({ queryClient }: ClientData, teamId: number): number =>
  queryClient.isMutating({ mutationKey: [...metadataKeys.templates(teamId), "move"] });

/** Refetches the templates of a team. While the user moves a row here, an earlier order must not show; the last move refetches. */
export const invalidateTemplates = (client: ClientData, teamId: number): void => {
  if (countTemplateMoves(client, teamId) === 0) invalidate(client, metadataKeys.templates(teamId));
};

/** Refetches the values of a file. */
export const invalidateFileMetadata = (client: ClientData, fileId: number): void => {
  invalidate(client, metadataKeys.file(fileId));
  invalidate(client, metadataKeys.allOfFiles);
};
