import type { FileEntry } from "../../../../contract/file-records.ts";
import { MAX_FILES, readDropEntries, readFileList, type DroppedFiles } from "../../../components/uploads/file-tree.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { createFolders } from "../../../queries/file-lists/file-mutations.ts";
import { useCurrentUser } from "../../../queries/permissions.ts";
import { useService } from "../../../queries/service.ts";
import { useClient } from "../../../client/client.ts";
import { useToasts } from "../../../ui/toast.ts";

/** Uploads files and folders into a project's folders, and new versions to its files. */
export function useFolderUploads(projectId: number) {
  // Loads the service limits before the first upload, so that files that are too large are rejected at once.
  useService();
  const toasts = useToasts();
  const client = useClient();
  const { add: addUploads } = client.uploads;
  const { accountId } = useCurrentUser();
  const destination = { accountId, projectId };

  async function uploadTree(tree: DroppedFiles, folder: Pick<FileEntry, "id" | "name">) {
    if (tree.hasTooManyFiles) return toasts.showError(t("tooManyFiles", { most: MAX_FILES }));
    addUploads(
      destination,
      tree.files.map(({ file, path }) => ({ file, target: { kind: "folder", folderId: folder.id, folderName: folder.name, path } })),
    );
    const { files, emptyFolders, skippedCount, unreadableNames } = tree;
    const messages: string[] = [];
    if (files.length > 0) messages.push(t("uploadingTo", { count: files.length, folder: folder.name }));
    if (emptyFolders.length > 0) {
      try {
        await createFolders(client, projectId, folder.id, emptyFolders);
        messages.push(t("foldersCreated", { count: emptyFolders.length }));
      } catch (error) {
        toasts.showError(t("foldersNotCreated", { reason: formatErrorReason(error) }));
      }
    }
    if (skippedCount > 0) messages.push(t("skipped", { count: skippedCount }));
    if (unreadableNames.length > 0) messages.push(t("unreadable", { count: unreadableNames.length, name: unreadableNames[0]! }));
    if (messages.length > 0) toasts.show({ text: messages.join(" ") });
    else if (emptyFolders.length === 0) toasts.showError(t("nothingToUpload"));
  }
  return {
    addFiles: (files: readonly File[], folder: Pick<FileEntry, "id" | "name">) => void uploadTree(readFileList(files), folder),
    addDropped: async (entries: readonly (FileSystemEntry | File)[], folder: Pick<FileEntry, "id" | "name">) =>
      uploadTree(await readDropEntries(entries), folder),
    addVersion: (file: File, entry: Pick<FileEntry, "id" | "name">) =>
      addUploads(destination, [{ file, target: { kind: "version", fileId: entry.id, fileName: entry.name } }]),
  };
}
