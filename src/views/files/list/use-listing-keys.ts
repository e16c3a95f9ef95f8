import { type KeyboardEvent, useRef } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { type FilesContextValue, useFilesContext } from "../files-context.ts";
import { adjacentId, clearSelection, findByPrefix, moveSelection, pressRow } from "../selection.ts";
import type { LoadAllOutcome } from "./load-all.ts";

/** Milliseconds without typing after which the next character starts a new name. */
const TYPEAHEAD_TIMEOUT_MS = 700;

interface ListingKeysOptions {
  perRow: number;
  /** Returns the number of rows per page. */
  pageRows(): number;
  /** Loads all remaining entries. */
  loadAll(): Promise<LoadAllOutcome>;
  /** Loads all remaining entries and selects everything. */
  selectEverything(): Promise<void>;
  /** Focuses the entry after the next render. */
  requestFocus(id: number): void;
}

/** Handles the keys of the listing. They apply while a row or tile has the focus, or its checkbox, which uses only Space and Enter itself. */
export function useListingKeys({ perRow, pageRows, loadAll, selectEverything, requestFocus }: ListingKeysOptions) {
  const context = useFilesContext();
  const latest = useRef(context);
  latest.current = context;
  const handleActionKey = useActionKeys(context);
  const typedPrefix = useRef({ text: "", typedAt: -Infinity });
  const currentIds = () => latest.current.entries.map(({ id }) => id);

  function moveTo(id: number | undefined, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): void {
    if (id === undefined) return;
    const ids = currentIds();
    latest.current.select((selection) => moveSelection(selection, ids, id, { isRange: event.shiftKey, isToggle: event.ctrlKey || event.metaKey }));
    requestFocus(id);
  }

  /** Compares the times of the key presses, because a busy page handles them later. */
  const isTyping = ({ timeStamp }: KeyboardEvent) => timeStamp - typedPrefix.current.typedAt < TYPEAHEAD_TIMEOUT_MS;
  function typeAhead(event: KeyboardEvent): void {
    const text = isTyping(event) ? typedPrefix.current.text + event.key : event.key;
    typedPrefix.current = { text, typedAt: event.timeStamp };
    // Repeating one letter moves from one name to the next.
    const prefix = [...text].every((letter) => letter === text[0]) ? text.slice(0, 1) : text;
    const id = findByPrefix(context.entries, context.selection.current, prefix);
    if (id !== undefined) moveTo(id, { shiftKey: false, ctrlKey: false, metaKey: false });
  }

  async function goToEnd(event: KeyboardEvent): Promise<void> {
    const { target, shiftKey, ctrlKey, metaKey } = event;
    if ((await loadAll()) === "superseded") return;
    // The user moved the focus while the entries were loading.
    if (document.activeElement !== target) return;
    moveTo(latest.current.entries.at(-1)?.id, { shiftKey, ctrlKey, metaKey });
  }

  return (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
    const row = target.closest<HTMLElement>("[data-entry]");
    if (!row) return;
    if (target !== row) {
      if (key === "Escape") return row.focus();
      if (!target.matches("[role=checkbox]") || key === " " || key === "Enter") return;
    }
    const id = Number(row.dataset["entry"]);
    const entry = context.entries.find((candidate) => candidate.id === id);
    if (!entry) return;
    const ids = () => currentIds();
    const step = { ArrowDown: perRow, ArrowUp: -perRow, PageDown: pageRows() * perRow, PageUp: -pageRows() * perRow }[key];
    const sideStep = perRow > 1 ? { ArrowRight: 1, ArrowLeft: -1 }[key] : undefined;
    const hasModifier = event.ctrlKey || event.metaKey;
    let isHandled = true;
    if (event.altKey) isHandled = false;
    else if (step !== undefined || sideStep !== undefined) moveTo(adjacentId(ids(), id, step ?? sideStep ?? 0), event);
    else if (key === "Home") moveTo(context.entries[0]?.id, event);
    else if (key === "End") void goToEnd(event);
    else if (hasModifier && key.toLowerCase() === "a") void selectEverything();
    else if (key === " " && isTyping(event)) typeAhead(event);
    else if (key === " ") context.select((selection) => pressRow(selection, ids(), id, { isToggle: !event.shiftKey, isRange: event.shiftKey }));
    else if (key === "Enter" && !hasModifier) context.open(entry);
    else if (key === "Escape" && context.selection.ids.size > 0) context.select(clearSelection);
    else if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) context.openMenu(entry, anchorRectOf(row.querySelector("[data-action=menu]") ?? row));
    else if (handleActionKey(event, entry)) isHandled = true;
    // "?" lists the shortcuts, "/" searches.
    else if (key.length === 1 && !hasModifier && key !== "?" && key !== "/") typeAhead(event);
    else isHandled = false;
    if (isHandled) event.preventDefault();
  };
}

/** Handles the listing's action keys for the selection. Returns whether the key was handled. `ShortcutsDialog` lists the keys. */
function useActionKeys({ selectedEntries }: FilesContextValue): (event: KeyboardEvent, entry: FileEntry) => boolean {
  const { run } = useFileActionsContext();
  return (event, entry) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const targets = selectedEntries.length > 0 ? selectedEntries : [entry];
    if (altKey || shiftKey) return false;
    const hasNoModifier = !ctrlKey && !metaKey;
    if (key === "F2" && hasNoModifier) run("rename", targets);
    // On a Mac, Cmd+Backspace deletes, as in Finder.
    else if ((key === "Delete" && hasNoModifier) || (key === "Backspace" && metaKey)) run("delete", targets);
    else return false;
    event.preventDefault();
    return true;
  };
}
