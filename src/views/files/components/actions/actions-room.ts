/** What the parts of the files view share of what is done with files. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import type { FileMutations } from "../../../../queries/file-actions/use-file-acts.ts";
import type { CurrentUser } from "../../../../queries/file-actions/permissions.ts";
import type { NameEdit } from "../../model/naming.ts";
import type { Action, AvailableAction } from "../../model/offers.ts";

/** A dialog about these entries. */
export interface ActiveDialog {
  kind: "move" | "protection" | "versions" | "status" | "version-of";
  entries: readonly FileEntry[];
  /** The file that would become a version. */
  file?: File;
}

export interface FileActionsContextValue {
  user: CurrentUser;
  mutations: FileMutations;
  /** Why nothing can be uploaded, or null. */
  uploadDisabledReason: string | null;
  getAvailableActions(entries: readonly FileEntry[]): AvailableAction[];
  /** Does it, or says why not. */
  run(action: Action, entries: readonly FileEntry[]): void;
  move(entries: readonly FileEntry[], target: { id: number; name: string }): void;
  nameEdit: NameEdit | null;
  /** `isBlur`: by going elsewhere, not by Enter or Escape. */
  submitName(name: string, isBlur: boolean): void;
  cancelName(isBlur: boolean): void;
  newFolder(): void;
  setActiveDialog(activeDialog: ActiveDialog | null): void;
  activeDialog: ActiveDialog | null;
  chooseFiles(): void;
  chooseFolder(): void;
  /** Chooses a file that becomes the next version. */
  chooseVersion(entry: FileEntry): void;
}

export const FileActionsContext = createContext<FileActionsContextValue | null>(null);

export function useFileActionsContext(): FileActionsContextValue {
  const context = use(FileActionsContext);
  if (!context) throw new Error("There are no actions around this");
  return context;
}
