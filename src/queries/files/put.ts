/** What the live channel tells of files goes into every place of the cache that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Attachment, FileInfoAnswer, FileRecord, FileStatus } from "../../../contract/records.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { renew } from "../renew.ts";
import { changeAttachments, isOutdated, markDeleted, replaceVersion, withFacts, withFile, withInfoStatus, withStatus } from "./cache.ts";
import { fileKeys } from "./keys.ts";
import { tellFileNews } from "./news.ts";
import { progressOf } from "./progress.ts";
import { isUnderWay } from "./state.ts";

/** A version was processed, or failed. */
export function putAttachment(client: QueryClient, attachment: Attachment): void {
  patchAllHistories(client, (history) => changeAttachments(history, attachment.id, replaceVersion(attachment)));
  if (!isUnderWay(attachment.transcoding_status)) progressOf(client).forget(attachment.id, attachment.version ?? 1);
  // What was found in the file is told by its info alone.
  void client.invalidateQueries({ queryKey: fileKeys.file(attachment.id) });
}

/** A file came, or was renamed, moved, given a status or a new version. */
export function putFile(client: QueryClient, file: FileRecord): void {
  patchAllHistories(client, (history) => changeAttachments(history, file.id, withFacts(file)));
  const key = fileKeys.info(file.id);
  const info = client.getQueryData<FileInfoAnswer>(key);
  // A page that was told "no such file", or asked before the change, asks again.
  if (!info) return renew(client, key, true);
  client.setQueryData(key, withFile(info, file));
  if (isOutdated(info, file)) void client.invalidateQueries({ queryKey: fileKeys.file(file.id) });
}

/** A file was deleted: its messages stay and say so; its page asks again and is told. */
export function putDeleted(client: QueryClient, fileId: number): void {
  patchAllHistories(client, (history) => changeAttachments(history, fileId, markDeleted));
  void client.invalidateQueries({ queryKey: fileKeys.file(fileId) });
}

/** Shows a file's status everywhere at once. */
export function putStatus(client: QueryClient, fileId: number, status: FileStatus | null): void {
  patchAllHistories(client, (history) => changeAttachments(history, fileId, withStatus(status)));
  client.setQueryData<FileInfoAnswer>(fileKeys.info(fileId), (info) => withInfoStatus(info, status));
  tellFileNews(client, { type: "status", id: fileId, status });
}
