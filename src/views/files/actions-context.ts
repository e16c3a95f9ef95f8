/** Defines the context of the file actions, which the parts of the files view share. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Action, AvailableAction } from "./actions/available-actions.tsx";
import type { NameEdit } from "./actions/use-name-editing.ts";

export interface FileActionsContextValue {
  /** Why uploads are disabled, or null. */
  uploadDisabledReason: string | null;
  getAvailableActions(entries: readonly FileEntry[]): AvailableAction[];
  /** Runs the action, or shows why it is disabled. */
  run(action: Action, entries: readonly FileEntry[]): void;
  move(entries: readonly FileEntry[], target: { id: number; name: string }): void;
  nameEdit: NameEdit | null;
  /** `isBlur` is true if the field lost the focus, and false after Enter or Escape. */
  submitName(name: string, isBlur: boolean): void;
  cancelName(isBlur: boolean): void;
  newFolder(): void;
  chooseFiles(): void;
  chooseFolder(): void;
  /** Opens a file picker for the next version of the entry. */
  chooseVersion(entry: FileEntry): void;
}

export const FileActionsContext = createContext<FileActionsContextValue | null>(null);

export function useFileActionsContext(): FileActionsContextValue {
  const context = use(FileActionsContext);
  if (!context) throw new Error("useFileActionsContext needs a FileActionsContext");
  return context;
}
