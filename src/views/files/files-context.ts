/** Defines the context of the files view: what is shown, what is selected, and the actions on both. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Project } from "../../../contract/records.ts";
import type { FolderHierarchy } from "../../queries/file-lists/folder-tree.ts";
import type { AnchorRect } from "../../ui/Floating.tsx";
import type { FieldColumns } from "./list/use-field-columns.ts";
import type { UrlState } from "./url-state.ts";
import type { EntrySelection } from "./use-selection.ts";

export interface FilesContextValue {
  project: Project;
  /** The folder shown; in Recent the root, which uploads go to. The root has the project's name. */
  folder: FileEntry;
  /** True in Recent, which lists the files of all folders. */
  isRecent: boolean;
  tree: FolderHierarchy<FileEntry>;
  urlState: UrlState;
  /** True if a filter is active, which searches everything below the folder. */
  hasFilter: boolean;
  /** Changes the state requested last, which may not be rendered yet. */
  setUrlState(change: (current: UrlState) => UrlState, options?: { replace?: boolean | ((current: UrlState) => boolean) }): void;
  /** The metadata fields that the list shows as columns. */
  fieldColumns: FieldColumns;
  /** The loaded entries, in listing order. */
  entries: readonly FileEntry[];
  selection: EntrySelection;
  /** The selected entries, in listing order. */
  selectedEntries: readonly FileEntry[];
  /** Opens a folder in this view, and a file on its own page. */
  open(entry: FileEntry): void;
  /** Opens the actions for an entry, or for the whole selection if the entry is part of it. */
  openMenu(entry: FileEntry, anchor: AnchorRect): void;
}

export const FilesContext = createContext<FilesContextValue | null>(null);

export const useFilesContext = (): FilesContextValue => use(FilesContext)!;
