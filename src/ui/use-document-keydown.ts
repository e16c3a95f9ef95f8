/** Listens to keys wherever the focus is, and decides whether a key may run a shortcut of the page. */
import { type RefObject, useEffectEvent, useLayoutEffect } from "react";

/** Elements that use letters, digits and arrow keys themselves. */
const KEY_CONSUMERS = "input, textarea, [aria-haspopup=listbox], [contenteditable], [role=menu], [role=listbox], [role=dialog]";
/** Elements that Ctrl+Z would change: a native undo must not run together with one of the page. */
const TEXT_FIELDS = "input, textarea, [contenteditable]";
/** Elements that Space activates. */
const SPACE_CONSUMERS = "button, summary, a[href]";
/** Inputs without text. They use arrow keys or Space, but no letters. */
export const NON_TEXT_INPUTS = "input[type=range], input[type=checkbox], input[type=radio]";

/** Handles keys wherever the focus is, from the first paint on: a layout effect runs before it. With `capture`, before all other handlers. */
export function useDocumentKeydown(onKeyDown: (event: KeyboardEvent) => void, { capture = false } = {}): void {
  const handleKey = useEffectEvent(onKeyDown);
  useLayoutEffect(() => {
    document.addEventListener("keydown", handleKey, capture);
    return () => document.removeEventListener("keydown", handleKey, capture);
  }, [capture]);
}

/** Returns whether a dialog or a sheet covers the page. */
export const isModalOpen = (): boolean => document.querySelector("[data-overlay=modal]") !== null;

/** Returns whether a dialog, a sheet, a menu or another popover is open. */
export const isOverlayOpen = (): boolean => document.querySelector("[data-overlay]") !== null;

/**
 * Returns whether a key without Ctrl, Alt or Cmd may run a shortcut of the page: no other handler has used it, no dialog is open, and the focused element
 * does not need it. `allowedIn` selects fields in which the shortcut works nevertheless.
 */
export function isShortcutAllowed(event: KeyboardEvent, allowedIn?: string): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || !isUnhandled(event)) return false;
  return !usesLetterKeys(event.target, allowedIn) && !(event.key === " " && isInside(event.target, SPACE_CONSUMERS));
}

/** Returns whether the focused element is inside the area; without an area, every element is. */
export const isInArea = ({ target }: Pick<KeyboardEvent, "target">, area: RefObject<HTMLElement | null> | undefined): boolean =>
  area === undefined || (target instanceof Node && area.current?.contains(target) === true);

/** Returns whether the event is Ctrl+Z or Cmd+Z for the page: no other handler has used it, no dialog is open, and no text is being edited. */
export function isUndoKey(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() !== "z" || event.shiftKey || event.altKey || !(event.metaKey || event.ctrlKey)) return false;
  return isUnhandled(event) && (!isInside(event.target, TEXT_FIELDS) || isInside(event.target, NON_TEXT_INPUTS));
}

/** Returns whether the user writes or chooses something in the element, with keys that are shortcuts elsewhere. Elements that match `except` do not count. */
export const usesLetterKeys = (element: EventTarget | null, except?: string): boolean =>
  isInside(element, KEY_CONSUMERS) && !(except !== undefined && isInside(element, except));

const isUnhandled = (event: KeyboardEvent): boolean => !event.defaultPrevented && !isModalOpen();

const isInside = (target: EventTarget | null, selector: string): boolean => target instanceof Element && target.closest(selector) !== null;
