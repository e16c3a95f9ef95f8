import type { KeyboardEvent } from "react";
import type { FilesContextValue } from "../files-room.ts";
import { useFileActionsContext } from "./actions-room.ts";

/** Handles the listing's action keys for the selection. Returns whether the key was handled. `ShortcutsDialog` lists the keys. */
export function useActionKeys({ selected, entries }: FilesContextValue): (event: KeyboardEvent) => boolean {
  const { run } = useFileActionsContext();
  return (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
    const focusedEntry = entries.find(({ id }) => target instanceof HTMLElement && String(id) === target.dataset["entry"]);
    const targets = selected.length > 0 ? selected : focusedEntry ? [focusedEntry] : [];
    if (targets.length === 0 || altKey || shiftKey) return false;
    const hasNoModifier = !ctrlKey && !metaKey;
    if (key === "F2" && hasNoModifier) run("rename", targets);
    // On a Mac, Cmd+Backspace deletes, as in Finder.
    else if ((key === "Delete" && hasNoModifier) || (key === "Backspace" && metaKey)) run("delete", targets);
    else return false;
    event.preventDefault();
    return true;
  };
}
