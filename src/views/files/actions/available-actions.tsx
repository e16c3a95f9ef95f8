/** Determines what can be done with entries: the actions on a selection, with icons, labels and why they are disabled, and where a dragged item would be dropped. */
import {
  Download,
  ExternalLink,
  FileMusic,
  FilePlus2,
  FolderInput,
  History,
  Link,
  ListPlus,
  type LucideIcon,
  Pencil,
  ShieldCheck,
  Star,
  Tag,
  Tags,
  Trash2,
} from "lucide-react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { fileFacts, type RuleFor, versionFacts } from "../../../../contract/policy.ts";
import { t as tArchived } from "../../../lib/texts/archived.ts";
import { t as tFavorites } from "../../../lib/texts/favorites.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { t as tMetadata } from "../../../lib/texts/metadata.ts";
import { t as tPlaylists } from "../../../lib/texts/playlists.ts";
import type { FolderHierarchy } from "../../../queries/file-lists/folder-tree.ts";
import { can, type CurrentUser } from "../../../queries/permissions.ts";

export type Action =
  | "open"
  | "download"
  | "downloadTagged"
  | "rename"
  | "move"
  | "status"
  | "metadata"
  | "versions"
  | "addVersion"
  | "protection"
  | "playlist"
  | "favorite"
  | "unfavorite"
  | "copyLink"
  | "delete";

export const ACTION_ICONS: Record<Action, LucideIcon> = {
  open: ExternalLink,
  download: Download,
  downloadTagged: FileMusic,
  rename: Pencil,
  move: FolderInput,
  status: Tag,
  metadata: Tags,
  versions: History,
  addVersion: FilePlus2,
  protection: ShieldCheck,
  playlist: ListPlus,
  favorite: Star,
  unfavorite: Star,
  copyLink: Link,
  delete: Trash2,
};

export interface AvailableAction {
  action: Action;
  /** Why the action is disabled now, or null. */
  disabledReason: string | null;
}

/** Returns why the entries are too many for one request, or null. */
const tooManyReason = (entries: readonly FileEntry[]) => (entries.length > LIMITS.files_per_request ? t("tooMany", { most: LIMITS.files_per_request }) : null);

/** Returns why the files do not fit into a playlist, or null. */
const tooManyForPlaylist = (entries: readonly FileEntry[]) =>
  entries.length > LIMITS.playlist_items ? tPlaylists("full", { count: LIMITS.playlist_items }) : null;

type ParentFolders = Pick<FolderHierarchy<FileEntry>, "pathTo">;

/** Returns whether the policy allows the user this action on every entry. The service also checks the contents of folders. */
const isAllowedForAll = (rule: RuleFor<ReturnType<typeof fileFacts>>, user: CurrentUser, entries: readonly FileEntry[]): boolean =>
  entries.every((entry) => can(user, rule, fileFacts(entry, user.accountId)));

const factsInTree = (entry: FileEntry, { accountId }: CurrentUser, tree: ParentFolders) =>
  versionFacts(entry, entry.parent_id === null ? [] : tree.pathTo(entry.parent_id), accountId);

/** Returns why the entries cannot be moved at all, or null. */
export function moveDisabledReason(user: CurrentUser, entries: readonly FileEntry[], tree: ParentFolders): string | null {
  if (user.isArchived) return tArchived("isArchived");
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  const denied = entries.map((entry) => factsInTree(entry, user, tree)).find((facts) => !can(user, "file.move", facts));
  if (denied) return t(denied.isOwn ? "guestCannotMoveProtected" : "guestCannotMove");
  if (protectedEntry) return t("moveProtected", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Returns why the entries cannot be moved into this folder, or null. */
export function moveTargetDisabledReason(entries: readonly FileEntry[], folderId: number, tree: Pick<FolderHierarchy, "isIn">): string | null {
  const container = entries.find((entry) => entry.is_folder && tree.isIn(folderId, entry.id) === true);
  if (container) return t(container.id === folderId ? "moveIntoItself" : "moveIntoSubfolder", { name: container.name });
  return entries.every((entry) => entry.parent_id === folderId) ? t("alreadyInFolder") : null;
}

/** Returns why the entries cannot be deleted, or null. The service checks the contents of folders. */
export function deleteDisabledReason(user: CurrentUser, entries: readonly FileEntry[], tree: ParentFolders): string | null {
  if (user.isArchived) return tArchived("isArchived");
  const protectedEntry = entries.find((entry) => entry.removal_protection);
  const denied = entries.find((entry) => !can(user, "file.delete", factsInTree(entry, user, tree)));
  if (denied) return factsInTree(denied, user, tree).isOwn ? t("guestCannotDeleteFinal", { status: denied.status?.title ?? "" }) : t("guestCannotDelete");
  if (protectedEntry) return t(can(user, "file.edit") ? "deleteProtected" : "deleteProtectedGuest", { name: protectedEntry.name });
  return tooManyReason(entries);
}

/** Returns why the user cannot add a version to the file, or null. */
export function versionDisabledReason(user: CurrentUser, file: FileEntry, tree: ParentFolders): string | null {
  if (user.isArchived) return tArchived("isArchived");
  const facts = factsInTree(file, user, tree);
  if (can(user, "file.add_version", facts)) return null;
  if (!facts.isOwn) return t("guestCannotAddVersion");
  return facts.isProtected ? t("guestCannotAddToProtected") : t("guestCannotAddToFinal", { status: file.status?.title ?? "" });
}

/** Returns the actions on a selection. Actions that are never allowed are omitted, and actions that are blocked now have a reason. */
export function computeAvailableActions(
  entries: readonly FileEntry[],
  user: CurrentUser,
  tree: ParentFolders,
  uploadDisabledReason: string | null,
  /** Whether the first entry is a favorite; null where there are no favorites. */
  isFavorite: boolean | null = null,
): AvailableAction[] {
  const [first] = entries;
  if (!first) return [];
  const isSingle = entries.length === 1;
  const isAllowed = (rule: Parameters<typeof isAllowedForAll>[0]) => isAllowedForAll(rule, user, entries);
  const isRoot = first.parent_id === null;
  const candidates: (AvailableAction & { isVisible: boolean })[] = [
    { action: "open", isVisible: isSingle, disabledReason: null },
    { action: "download", isVisible: true, disabledReason: tooManyReason(entries) },
    { action: "downloadTagged", isVisible: entries.some(({ kind }) => kind === "audio" || kind === "folder"), disabledReason: tooManyReason(entries) },
    { action: "rename", isVisible: isSingle && isAllowed("file.rename"), disabledReason: null },
    { action: "move", isVisible: !isRoot, disabledReason: moveDisabledReason(user, entries, tree) },
    { action: "status", isVisible: isAllowed("file.status") && entries.some(({ is_folder }) => !is_folder), disabledReason: tooManyReason(entries) },
    { action: "metadata", isVisible: entries.every(({ is_folder }) => !is_folder) && isAllowed("metadata.edit"), disabledReason: tooManyReason(entries) },
    { action: "versions", isVisible: isSingle && !first.is_folder, disabledReason: null },
    { action: "addVersion", isVisible: isSingle && !first.is_folder, disabledReason: uploadDisabledReason ?? versionDisabledReason(user, first, tree) },
    {
      action: "playlist",
      isVisible: entries.every(({ kind }) => kind === "audio") && can(user, "playlist.create"),
      disabledReason: tooManyForPlaylist(entries),
    },
    { action: "protection", isVisible: isSingle && isAllowed("file.edit") && !isRoot, disabledReason: null },
    { action: "favorite", isVisible: isSingle && !isRoot && isFavorite === false, disabledReason: null },
    { action: "unfavorite", isVisible: isSingle && !isRoot && isFavorite === true, disabledReason: null },
    { action: "copyLink", isVisible: true, disabledReason: null },
    { action: "delete", isVisible: !isRoot, disabledReason: deleteDisabledReason(user, entries, tree) },
  ];
  return candidates.filter(({ isVisible }) => isVisible).map(({ action, disabledReason }) => ({ action, disabledReason }));
}

/** Returns the label of an action for these entries. */
export function actionName(action: Action, entries: readonly FileEntry[]): string {
  const isZip = entries.length > 1 || entries.some(({ is_folder }) => is_folder);
  switch (action) {
    case "download":
      return t(isZip ? "downloadZip" : "download");
    case "downloadTagged":
      return tMetadata(isZip ? "downloadTaggedZip" : "downloadTagged");
    case "copyLink":
      return t(entries.length > 1 ? "copyLinks" : "copyLink");
    case "favorite":
      return tFavorites("add");
    case "unfavorite":
      return tFavorites("remove");
    case "delete":
      return t("remove");
    case "playlist":
      return tPlaylists("addTo");
    default:
      return t(action);
  }
}

/**
 * Returns the target of files dropped from the desktop on an entry: the folder itself, the file if a single file becomes its next version, or else the
 * open folder. Before the drop, `isSingleFile` can be true for several files, because some browsers do not report their number.
 */
export const resolveFileDrop = (target: FileEntry, openFolder: FileEntry, isSingleFile: boolean, canAddVersion: (file: FileEntry) => boolean): FileEntry =>
  target.is_folder || (isSingleFile && canAddVersion(target)) ? target : openFolder;

/** Returns whether dragged entries can be moved into the target. */
export const acceptsMove = (target: FileEntry, dragged: readonly FileEntry[], tree: FolderHierarchy): boolean =>
  dragged.length > 0 && target.is_folder && moveTargetDisabledReason(dragged, target.id, tree) === null;
