/** What the parts of the files view share: what is shown, what is selected, and what one can do. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Project } from "../../../../contract/records.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import type { Selection } from "../model/selection.ts";
import type { UrlState } from "../model/url-state.ts";

export interface FilesContextValue {
  project: Project;
  /** The folder that is shown; the root has the project's name. */
  folder: FileEntry;
  tree: Tree<FileEntry>;
  urlState: UrlState;
  /** All that lies below the folder is looked through. */
  hasFilter: boolean;
  /** A function is given what was asked for last, which may be seen only a moment later. */
  setUrlState(urlState: UrlState | ((current: UrlState) => UrlState), options?: { replace?: boolean }): void;
  /** What is loaded of the listing, in its order. */
  entries: readonly FileEntry[];
  /** There is more than is loaded. */
  hasMore: boolean;
  /** Nothing is known of the listing yet. */
  isPending: boolean;
  selection: Selection;
  /** The selected ones, in the order of the listing. */
  selected: readonly FileEntry[];
  select(change: (selection: Selection) => Selection): void;
  /** Folders open here, files on their page. */
  open(entry: FileEntry): void;
  /** What can be done with an entry, or with all that are selected where it is one of them. */
  openMenu(entry: FileEntry, anchor: AnchorRect): void;
  /** The keyboard goes to a row as soon as it is there. */
  focusEntry(id: number): void;
}

export const FilesContext = createContext<FilesContextValue | null>(null);

export function useFilesContext(): FilesContextValue {
  const context = use(FilesContext);
  if (!context) throw new Error("There is no files view around this");
  return context;
}
