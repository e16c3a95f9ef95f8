import type { FileEntry } from "../../../../contract/file-records.ts";
import { MAX_FILES, readDropEntries, readFileList, type DroppedFiles } from "../../../components/uploads/file-tree.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useCreateFolders } from "../../../queries/file-lists/use-file-mutations.ts";
import { useCurrentUser } from "../../../queries/permissions.ts";
import { useService } from "../../../queries/service.ts";
import { useClient } from "../../../client/client.ts";
import { useToasts } from "../../../ui/toast.ts";

/** Describes skipped and unreadable files. */
function formatRemarks({ skippedCount, unreadableNames }: DroppedFiles): string[] {
  return [
    ...(skippedCount > 0 ? [t("skipped", { count: skippedCount })] : []),
    ...(unreadableNames.length > 0 ? [t("unreadable", { count: unreadableNames.length, name: unreadableNames[0]! })] : []),
  ];
}

/** Uploads files and folders into a project's folders, and new versions to its files. */
export function useFolderUploads(projectId: number) {
  // Loads the service limits before the first upload, so that files that are too large are rejected at once.
  useService();
  const toasts = useToasts();
  const { add: addUploads } = useClient().uploads;
  const { accountId } = useCurrentUser();
  const makeFolders = useCreateFolders(projectId);
  const destination = { accountId, projectId };

  async function uploadTree(tree: DroppedFiles, folder: Pick<FileEntry, "id" | "name">) {
    if (tree.hasTooManyFiles) return toasts.showError(t("tooManyFiles", { most: MAX_FILES }));
    addUploads(
      destination,
      tree.files.map(({ file, path }) => ({ file, target: { kind: "folder", folderId: folder.id, folderName: folder.name, path } })),
    );
    const messages = formatRemarks(tree);
    if (tree.emptyFolders.length > 0) {
      try {
        await makeFolders(folder.id, tree.emptyFolders);
        messages.unshift(t("foldersCreated", { count: tree.emptyFolders.length }));
      } catch (error) {
        toasts.showError(t("foldersNotCreated", { reason: formatErrorReason(error) }));
      }
    }
    if (tree.files.length > 0) messages.unshift(t("uploadingTo", { count: tree.files.length, folder: folder.name }));
    if (messages.length > 0) toasts.show({ text: messages.join(" ") });
    else if (tree.emptyFolders.length === 0) toasts.showError(t("nothingToUpload"));
  }
  return {
    addFiles: (files: readonly File[], folder: Pick<FileEntry, "id" | "name">) => void uploadTree(readFileList(files), folder),
    addDropped: async (entries: readonly (FileSystemEntry | File)[], folder: Pick<FileEntry, "id" | "name">) =>
      uploadTree(await readDropEntries(entries), folder),
    addVersion: (file: File, entry: Pick<FileEntry, "id" | "name">) =>
      addUploads(destination, [{ file, target: { kind: "version", fileId: entry.id, fileName: entry.name } }]),
  };
}
