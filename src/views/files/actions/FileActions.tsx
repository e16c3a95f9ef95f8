import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useClient } from "../../../client/client.ts";
import { useToggleFavorite } from "../../../components/favorites/use-toggle-favorite.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { fileItem } from "../../../queries/favorites/listed-items.ts";
import { useFavoriteAccess, useFavorites } from "../../../queries/favorites/use-favorites.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { useCan, useCurrentUser } from "../../../queries/permissions.ts";
import { useUploadDisabledReason } from "../../../sync/uploads/use-uploads.ts";
import { useToasts } from "../../../ui/toast.ts";
import { isUndoKey, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { FileActionsContext, type FileActionsContextValue } from "../actions-context.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { folderPath } from "../url-state.ts";
import { ActionDialogs, type ActiveDialog } from "./ActionDialogs.tsx";
import { computeAvailableActions, type Action } from "./available-actions.tsx";
import { DropArea } from "./drag-and-drop.tsx";
import { copyLinks, deleteEntries, downloadEntries, downloadTagged, moveEntries } from "./file-operations.ts";
import { useFolderUploads } from "./use-folder-uploads.ts";
import { useNameEditing } from "./use-name-editing.ts";

/** Provides the file actions to the view, with their dialogs, drop handling, and file inputs. */
export function FileActions({ children }: { children: ReactNode }) {
  const context = useFilesContext();
  const { project, folder, tree } = context;
  const user = useCurrentUser();
  const toasts = useToasts();
  const navigate = useNavigate();
  const operationContext = { client: useClient(), user, toasts, tree };
  const uploadDisabledReason = useUploadDisabledReason();
  const uploads = useFolderUploads(project.id);
  const { rename, ...nameEditing } = useNameEditing(context);
  const [activeDialog, setActiveDialog] = useState<ActiveDialog | null>(null);
  useDocumentKeydown((event) => {
    if (isUndoKey(event) && toasts.undoLast()) event.preventDefault();
  });

  const currentFolder = { id: folder.id, name: folderName(folder) };
  const { fileInputs, ...filePickers } = useFilePickers(uploads, currentFolder);
  const unavailableActions = new Set<Action>();
  if (context.fieldColumns.fields.length === 0) unavailableActions.add("metadata");
  if (context.fieldColumns.fields.every(({ tag }) => tag === null)) unavailableActions.add("downloadTagged");
  if (!useHasFeature("statuses")) unavailableActions.add("status");
  if (!useCan("playlist.create")) unavailableActions.add("playlist");
  if (!useHasFeature("files")) unavailableActions.add("versions");
  const { canChange } = useFavoriteAccess();
  const favorites = useFavorites();
  const toggleFavorite = useToggleFavorite();
  const getAvailableActions = (entries: readonly FileEntry[]) => {
    const isFavorite = canChange ? favorites.some(({ item }) => item.type === "file" && item.id === entries[0]?.id) : null;
    return computeAvailableActions(entries, user, tree, uploadDisabledReason, isFavorite).filter(({ action }) => !unavailableActions.has(action));
  };
  const archiveName = (entries: readonly FileEntry[]) => (entries.length > 1 && folder.parent_id === null ? project.name : currentFolder.name);
  const handlers: Record<Action, (entries: readonly FileEntry[]) => void> = {
    open: ([first]) => first && context.open(first),
    download: (entries) => void downloadEntries(operationContext, entries, archiveName(entries)),
    downloadTagged: (entries) => void downloadTagged(operationContext, entries, archiveName(entries)),
    rename: ([first]) => first && rename(first),
    move: (entries) => setActiveDialog({ kind: "move", entries }),
    status: (entries) => setActiveDialog({ kind: "status", entries }),
    metadata: (entries) => setActiveDialog({ kind: "metadata", entries }),
    versions: (entries) => setActiveDialog({ kind: "versions", entries }),
    addVersion: ([first]) => first && filePickers.chooseVersion(first),
    protection: (entries) => setActiveDialog({ kind: "protection", entries }),
    playlist: (entries) => setActiveDialog({ kind: "playlist", entries }),
    favorite: ([first]) => first && toggleFavorite(fileItem(first, project.name), true),
    unfavorite: ([first]) => first && toggleFavorite(fileItem(first, project.name), false),
    copyLink: (entries) => void copyLinks(operationContext, entries, project.id),
    delete: (entries) => void deleteEntries(operationContext, entries),
  };
  const actions: FileActionsContextValue = {
    uploadDisabledReason,
    getAvailableActions,
    run(action, entries) {
      const availableAction = getAvailableActions(entries).find((candidate) => candidate.action === action);
      // A blocked deletion still runs, because its handler shows the reason and offers to remove the protection.
      if (availableAction && (availableAction.disabledReason === null || action === "delete")) handlers[action](entries);
      else if (availableAction?.disabledReason) toasts.showError(availableAction.disabledReason);
    },
    move: (entries, target) => void moveEntries(operationContext, entries, target),
    ...nameEditing,
    newFolder() {
      // Recent lists no folders, so the new one is named where it will be seen.
      if (context.isRecent) void navigate(folderPath(project.id, null));
      nameEditing.newFolder();
    },
    ...filePickers,
  };
  return (
    <FileActionsContext value={actions}>
      <DropArea uploads={uploads} onVersionDrop={(entry, file) => setActiveDialog({ kind: "add-version", entries: [entry], file })}>
        {children}
      </DropArea>
      <ActionDialogs activeDialog={activeDialog} onClose={() => setActiveDialog(null)} />
      {fileInputs}
    </FileActionsContext>
  );
}

/** Returns the functions that open a file picker, and the hidden inputs behind them. */
function useFilePickers(uploads: ReturnType<typeof useFolderUploads>, folder: Pick<FileEntry, "id" | "name">) {
  const filesInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const versionInput = useRef<HTMLInputElement>(null);
  const versionTarget = useRef<FileEntry | null>(null);
  return {
    chooseFiles: () => filesInput.current?.click(),
    chooseFolder: () => folderInput.current?.click(),
    chooseVersion(entry: FileEntry) {
      versionTarget.current = entry;
      versionInput.current?.click();
    },
    fileInputs: (
      <>
        <FileInput ref={filesInput} label={t("uploadFiles")} multiple onChoose={(files) => uploads.addFiles(files, folder)} />
        <FileInput ref={folderInput} label={t("uploadFolder")} multiple webkitdirectory="" onChoose={(files) => uploads.addFiles(files, folder)} />
        <FileInput
          ref={versionInput}
          label={t("addVersion")}
          onChoose={([file]) => file && versionTarget.current && uploads.addVersion(file, versionTarget.current)}
        />
      </>
    ),
  };
}

interface FileInputProps extends ComponentProps<"input"> {
  label: string;
  webkitdirectory?: string;
  onChoose(files: readonly File[]): void;
}

/** Forgets the chosen files, so that the same files can be chosen again. */
function FileInput({ label, onChoose, ...props }: FileInputProps) {
  return (
    <input
      {...props}
      type="file"
      hidden
      aria-label={label}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = "";
        onChoose(files);
      }}
    />
  );
}
