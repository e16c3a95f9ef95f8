/** Metadata in files: CSV of a project, and copies of audio files that carry their metadata as tags. */
import * as operations from "../../../contract/operations/metadata-files.ts";
import type { FileCommon } from "../../../contract/records.ts";
import { buildUrl } from "../../api/http.ts";
import { archiveUrl, assertDownloadAvailable } from "../../api/project-files.ts";
import type { ClientData } from "../../client/client.ts";
import { useOperation } from "../operations.ts";

/** An address to save from; release it once the browser has begun. */
type Download = Promise<{ address: string; release(): void }>;

/** Throws the service's error if there is nothing to download. */
async function requestDownload({ api, media }: ClientData, url: string): Download {
  if (!media.needsDownload(url)) await assertDownloadAvailable(api, url);
  return media.loadDownload(url);
}

export const requestMetadataCsv = (client: ClientData, projectId: number, folderId: number): Download =>
  requestDownload(client, client.api.address(buildUrl(operations.exportMetadata.path, { project_id: projectId }, { folder_id: folderId })));

export const requestTaggedCopy = (client: ClientData, { id }: Pick<FileCommon, "id">, version: number | null): Download =>
  requestDownload(client, client.api.address(buildUrl(operations.downloadWithMetadata.path, { file_id: id }, { version: version ?? undefined })));

/** A zip of these files and folders in which audio files have their metadata as tags; `name` has no extension. */
export const requestTaggedArchive = (client: ClientData, ids: readonly number[], name: string): Download =>
  requestDownload(client, archiveUrl(client.api, ids, name, operations.getArchiveWithMetadata.path));

interface ImportInput {
  csv: Blob;
  dryRun: boolean;
  /** Of the dry run that the person has seen. */
  ifDigest?: string | undefined;
}

/** Imports CSV, or with `dryRun` only lists what would change. */
export const useImportMetadata = (projectId: number) =>
  useOperation(
    operations.importMetadata,
    ({ dryRun, ifDigest }: ImportInput) => ({
      params: { project_id: projectId },
      query: { dry_run: dryRun ? ("true" as const) : undefined, if_digest: ifDigest },
    }),
    { bytesOf: ({ csv }) => csv },
  );
