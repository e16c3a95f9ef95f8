import { createContext, useContext } from "react";

export type OpenDialog =
  | { kind: "new-project"; groupId?: number }
  | { kind: "new-group" }
  | { kind: "project"; action: "rename" | "move" | "color" | "delete"; id: number }
  | { kind: "group"; action: "rename" | "color" | "delete"; id: number }
  | { kind: "new-playlist" }
  | { kind: "palette" }
  | { kind: "shortcuts" }
  | { kind: "sign-out" };

/** Opens a dialog of the shell instead of the one that is open. */
export const OpenDialogContext = createContext<(dialog: OpenDialog) => void>(() => {});

export const useOpenDialog = () => useContext(OpenDialogContext);
