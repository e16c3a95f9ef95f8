import type { QueryClient } from "@tanstack/react-query";
import { fetchBytes } from "../../api/bytes.ts";
import { getFileInfo } from "../../api/files.ts";
import { getUploadQueue } from "../uploads/lazy-uploads.ts";

/**
 * Returns an upload's bytes from this page, this browser or the service; null when none of them has the bytes. Rejects when the service is
 * unreachable.
 */
export async function loadRecordedBytes(client: QueryClient, uploadId: string): Promise<Blob | null> {
  const uploads = getUploadQueue(client);
  const bytes = await uploads.loadBytes(uploadId);
  const upload = uploads.uploads().find(({ id }) => id === uploadId);
  if (bytes || !upload || upload.fileId === null) return bytes;
  const { common } = await getFileInfo(upload.fileId, null);
  return new Blob([await fetchBytes(common.url)], { type: upload.type });
}
