/** Defines the context of the file actions, which the parts of the files view share. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Action, AvailableAction } from "./actions/available-actions.tsx";
import type { useNameEditing } from "./actions/use-name-editing.ts";

export interface FileActionsContextValue extends Omit<ReturnType<typeof useNameEditing>, "rename"> {
  /** Why uploads are disabled, or null. */
  uploadDisabledReason: string | null;
  getAvailableActions(entries: readonly FileEntry[]): AvailableAction[];
  /** Runs the action, or shows why it is disabled. */
  run(action: Action, entries: readonly FileEntry[]): void;
  move(entries: readonly FileEntry[], target: { id: number; name: string }): void;
  chooseFiles(): void;
  chooseFolder(): void;
  /** Opens a file picker for the next version of the entry. */
  chooseVersion(entry: FileEntry): void;
}

export const FileActionsContext = createContext<FileActionsContextValue | null>(null);

export const useFileActionsContext = (): FileActionsContextValue => use(FileActionsContext)!;
