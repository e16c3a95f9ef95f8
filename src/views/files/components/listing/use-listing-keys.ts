import { useRef, type KeyboardEvent } from "react";
import { spotOf } from "../../../../ui/Floating.tsx";
import { clear, go, neighbor, press, typed } from "../../model/selection.ts";
import { useActionKeys } from "../actions/use-action-keys.ts";
import { useFilesRoom } from "../files-room.ts";
import type { Outcome } from "./load-all.ts";

/** A pause after which typing begins a new name, in milliseconds. */
const TYPING_MS = 700;

interface Input {
  perRow: number;
  /** Rows that a page takes. */
  pageRows(): number;
  /** Loads all that is not loaded yet. */
  loadAll(): Promise<Outcome>;
  /** Loads all that is not loaded yet, and selects it. */
  selectEverything(): Promise<void>;
  /** After the next drawing the focus goes there. */
  focusSoon(id: number): void;
}

/** The keyboard in the listing: it holds while the focus is on a row or tile itself. */
export function useListingKeys({ perRow, pageRows, loadAll, selectEverything, focusSoon }: Input) {
  const room = useFilesRoom();
  const latest = useRef(room);
  latest.current = room;
  const actionKeys = useActionKeys(room);
  const buffer = useRef({ text: "", at: 0 });
  const order = () => latest.current.entries.map(({ id }) => id);

  function moveTo(id: number | undefined, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): void {
    if (id === undefined) return;
    const ids = order();
    latest.current.select((now) => go(now, ids, id, { range: event.shiftKey, toggle: event.ctrlKey || event.metaKey }));
    focusSoon(id);
  }

  function type(key: string): void {
    const now = performance.now();
    const text = now - buffer.current.at < TYPING_MS ? buffer.current.text + key : key;
    buffer.current = { text, at: now };
    // The same letter again and again goes from one name to the next.
    const wanted = [...text].every((letter) => letter === text[0]) ? text.slice(0, 1) : text;
    const id = typed(room.entries, room.selection.current, wanted);
    if (id !== undefined) moveTo(id, { shiftKey: false, ctrlKey: false, metaKey: false });
  }

  async function toEnd(event: KeyboardEvent): Promise<void> {
    const { shiftKey, ctrlKey, metaKey } = event;
    if ((await loadAll()) === "left") return;
    moveTo(latest.current.entries.at(-1)?.id, { shiftKey, ctrlKey, metaKey });
  }

  return (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
    if (!target.matches("[data-entry]")) {
      const row = key === "Escape" && !target.closest("[popover], dialog") ? target.closest<HTMLElement>("[data-entry]") : null;
      if (row) row.focus();
      return;
    }
    const id = Number(target.dataset["entry"]);
    const entry = room.entries.find((one) => one.id === id);
    if (!entry) return;
    const ids = () => order();
    const step = { ArrowDown: perRow, ArrowUp: -perRow, PageDown: pageRows() * perRow, PageUp: -pageRows() * perRow }[key];
    const side = perRow > 1 ? { ArrowRight: 1, ArrowLeft: -1 }[key] : undefined;
    const command = event.ctrlKey || event.metaKey;
    let taken = true;
    if (event.altKey) taken = false;
    else if (step !== undefined || side !== undefined) moveTo(neighbor(ids(), id, step ?? side ?? 0), event);
    else if (key === "Home") moveTo(room.entries[0]?.id, event);
    else if (key === "End") void toEnd(event);
    else if (command && key.toLowerCase() === "a") void selectEverything();
    else if (key === " " && performance.now() - buffer.current.at < TYPING_MS) type(key);
    else if (key === " ") room.select((now) => press(now, ids(), id, { toggle: !event.shiftKey, range: event.shiftKey }));
    else if (key === "Enter" && !command) room.open(entry);
    else if (key === "Escape" && room.selection.ids.size > 0) room.select(clear);
    else if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) room.openMenu(entry, spotOf(target.querySelector("[data-act=menu]") ?? target));
    else if (actionKeys(event)) taken = true;
    // "?" lists the shortcuts, "/" searches.
    else if (key.length === 1 && !command && key !== "?" && key !== "/") type(key);
    else taken = false;
    if (taken) event.preventDefault();
  };
}
