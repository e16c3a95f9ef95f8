/** How one moves within a menu: arrows, Home, End, first letters. */
import type { KeyboardEvent } from "react";

/** The items of a menu that can be chosen. */
export const menuItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')];

/** Answers whether the key was one of the menu's. */
export function onMenuKey(event: KeyboardEvent, menu: HTMLElement): boolean {
  const all = menuItems(menu);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    all.at(step % all.length)?.focus();
    return true;
  }
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return false;
  const next = [...all.slice(at + 1), ...all].find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()));
  next?.focus();
  return next !== undefined;
}
