import { Download, ExternalLink, FilePlus2, FolderInput, History, Link, Pencil, ShieldCheck, Tag, Trash2, type LucideIcon } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import type { Action } from "../../model/offers.ts";

export const ACTION_ICONS: Record<Action, LucideIcon> = {
  open: ExternalLink,
  download: Download,
  rename: Pencil,
  move: FolderInput,
  status: Tag,
  versions: History,
  addVersion: FilePlus2,
  protection: ShieldCheck,
  copyLink: Link,
  delete: Trash2,
};

/** Returns the label of an action for these entries. */
export function actionName(action: Action, entries: readonly FileEntry[]): string {
  const isZip = entries.length > 1 || entries.some(({ is_folder }) => is_folder);
  switch (action) {
    case "download":
      return t(isZip ? "downloadZip" : "download");
    case "copyLink":
      return t(entries.length > 1 ? "copyLinks" : "copyLink");
    case "delete":
      return t("remove");
    default:
      return t(action);
  }
}
