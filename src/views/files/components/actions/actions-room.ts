/** What the parts of the files view share of what is done with files. */
import { createContext, use } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import type { FileActs } from "../../../../queries/file-actions/use-file-acts.ts";
import type { Me } from "../../../../queries/file-actions/permissions.ts";
import type { Naming } from "../../model/naming.ts";
import type { Action, Offer } from "../../model/offers.ts";

/** A dialog about these entries. */
export interface Asking {
  what: "move" | "protection" | "versions" | "status" | "version-of";
  entries: readonly FileEntry[];
  /** The file that would become a version. */
  file?: File;
}

export interface ActionsRoom {
  me: Me;
  acts: FileActs;
  /** Why nothing can be uploaded, or null. */
  uploadsOff: string | null;
  offers(entries: readonly FileEntry[]): Offer[];
  /** Does it, or says why not. */
  run(action: Action, entries: readonly FileEntry[]): void;
  move(entries: readonly FileEntry[], to: { id: number; name: string }): void;
  naming: Naming | null;
  /** `isLeaving`: by going elsewhere, not by Enter or Escape. */
  giveName(name: string, isLeaving: boolean): void;
  stopNaming(isLeaving: boolean): void;
  newFolder(): void;
  ask(asking: Asking | null): void;
  asking: Asking | null;
  chooseFiles(): void;
  chooseFolder(): void;
  /** Chooses a file that becomes the next version. */
  chooseVersion(of: FileEntry): void;
}

export const ActionsRoomContext = createContext<ActionsRoom | null>(null);

export function useActionsRoom(): ActionsRoom {
  const room = use(ActionsRoomContext);
  if (!room) throw new Error("There are no actions around this");
  return room;
}
