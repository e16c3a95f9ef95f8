import type { KeyboardEvent } from "react";
import type { FilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";

/** The keys of the listing that do something with what is selected; answers whether the key was one of them. `ShortcutsDialog` lists them. */
export function useActionKeys({ selected, entries }: FilesRoom): (event: KeyboardEvent) => boolean {
  const { run } = useActionsRoom();
  return (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
    const focused = entries.find(({ id }) => target instanceof HTMLElement && String(id) === target.dataset["entry"]);
    const these = selected.length > 0 ? selected : focused ? [focused] : [];
    if (these.length === 0 || altKey || shiftKey) return false;
    const plain = !ctrlKey && !metaKey;
    if (key === "F2" && plain) run("rename", these);
    // On a Mac the key above Enter deletes, with Cmd, as in Finder.
    else if ((key === "Delete" && plain) || (key === "Backspace" && metaKey)) run("delete", these);
    else return false;
    event.preventDefault();
    return true;
  };
}
