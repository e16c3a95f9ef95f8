/** Downloads files and copies links from the files view. */
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { originalFileUrl } from "../../../../queries/file-actions/original-of.ts";
import type { FileMutations } from "../../../../queries/file-actions/use-file-acts.ts";
import { showToast } from "../../../../ui/toast.ts";
import { folderPath } from "../../model/url-state.ts";
import { formatErrorReason } from "./changes.ts";

function downloadUrl(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

/** Downloads one file as is, and folders or several entries as one zip after the service has confirmed the archive. */
export async function downloadEntries(mutations: FileMutations, entries: readonly FileEntry[], folderName: string): Promise<void> {
  const [first] = entries;
  if (!first) return;
  if (entries.length === 1 && !first.is_folder) return downloadUrl(originalFileUrl(first));
  const name = entries.length === 1 ? first.name : folderName;
  const url = mutations.archiveUrl(
    entries.map(({ id }) => id),
    name,
  );
  try {
    await mutations.assertArchiveAvailable(url);
    downloadUrl(url);
    showToast({ text: t("preparingZip", { name }) });
  } catch (error) {
    showToast({ text: t("zipFailed", { reason: formatErrorReason(error) }), tone: "bad" });
  }
}

/** Copies the URLs of the entries, one per line. */
export async function copyLinks(entries: readonly FileEntry[], projectId: number): Promise<void> {
  const urls = entries.map((entry) => new URL(entry.is_folder ? folderPath(projectId, entry.id) : `/files/${entry.id}`, location.origin).href);
  try {
    await navigator.clipboard.writeText(urls.join("\n"));
    showToast({ text: t("linkCopied", { count: entries.length }) });
  } catch {
    showToast({ text: t("notCopied"), tone: "bad" });
  }
}
