import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { MOST_AT_ONCE, treeOfEntries, treeOfFiles, type Tree } from "../../../../parts/uploads/tree.ts";
import { useMakeFolders } from "../../../../queries/file-actions/use-make-folders.ts";
import { useService } from "../../../../queries/service/use-service.ts";
import { useAddFiles } from "../../../../queries/uploads/use-file-uploads.ts";
import { useMe } from "../../../../queries/file-actions/use-file-acts.ts";
import { showToast } from "../../../../ui/toast.ts";
import { reasonOf } from "./changes.ts";

/** What was left out or could not be read, in words. */
function remarks({ leftOut, unreadable }: Tree): string[] {
  return [
    ...(leftOut > 0 ? [t("leftOut", { count: leftOut })] : []),
    ...(unreadable.length > 0 ? [t("unreadable", { count: unreadable.length, name: unreadable[0]! })] : []),
  ];
}

/** Brings files and whole folders into folders of a project, and versions to its files. */
export function useUploadsInto(projectId: number) {
  // Known before the first file is brought, so that what is too large is refused at once.
  useService();
  const add = useAddFiles();
  const { accountId } = useMe();
  const makeFolders = useMakeFolders(projectId);
  const to = { accountId, projectId };

  async function bring(tree: Tree, folder: Pick<FileEntry, "id" | "name">) {
    if (tree.tooMany) return void showToast({ text: t("tooManyFiles", { most: MOST_AT_ONCE }), tone: "bad" });
    add(
      to,
      tree.files.map(({ file, path }) => ({ file, target: { kind: "folder", folderId: folder.id, folderName: folder.name, path } })),
    );
    const words = remarks(tree);
    if (tree.emptyFolders.length > 0) {
      try {
        await makeFolders(folder.id, tree.emptyFolders);
        words.unshift(t("foldersMade", { count: tree.emptyFolders.length }));
      } catch (error) {
        showToast({ text: t("foldersFailed", { reason: reasonOf(error) }), tone: "bad" });
      }
    }
    if (tree.files.length > 0) words.unshift(t("added", { count: tree.files.length, folder: folder.name }));
    if (words.length > 0) showToast({ text: words.join(" ") });
    else if (tree.emptyFolders.length === 0) showToast({ text: t("nothingIn"), tone: "bad" });
  }
  return {
    files: (files: readonly File[], folder: Pick<FileEntry, "id" | "name">) => void bring(treeOfFiles(files), folder),
    entries: async (entries: readonly (FileSystemEntry | File)[], folder: Pick<FileEntry, "id" | "name">) => bring(await treeOfEntries(entries), folder),
    version: (file: File, of: Pick<FileEntry, "id" | "name">) => add(to, [{ file, target: { kind: "version", fileId: of.id, fileName: of.name } }]),
  };
}
