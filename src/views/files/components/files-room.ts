/** What the parts of the files view share: what is shown, what is selected, and what one can do. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Project } from "../../../../contract/records.ts";
import type { Tree } from "../../../queries/file-lists/tree.ts";
import type { Spot } from "../../../ui/Floating.tsx";
import type { Selection } from "../model/selection.ts";
import type { Shown } from "../model/url-state.ts";

export interface FilesRoom {
  project: Project;
  /** The folder that is shown; the root has the project's name. */
  folder: FileEntry;
  tree: Tree<FileEntry>;
  shown: Shown;
  /** All that lies below the folder is looked through. */
  filtered: boolean;
  /** A function is given what was asked for last, which may be seen only a moment later. */
  show(shown: Shown | ((now: Shown) => Shown), options?: { replace?: boolean }): void;
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
  openMenu(entry: FileEntry, at: Spot): void;
  /** The keyboard goes to a row as soon as it is there. */
  focus(id: number): void;
}

export const FilesRoomContext = createContext<FilesRoom | null>(null);

export function useFilesRoom(): FilesRoom {
  const room = use(FilesRoomContext);
  if (!room) throw new Error("There is no files view around this");
  return room;
}
