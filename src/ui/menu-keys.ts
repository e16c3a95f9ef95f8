/** Handles keyboard navigation in menus: arrows, Home, End and first letters. */
import type { KeyboardEvent } from "react";

/** Returns the enabled items of a menu. */
export const menuItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')];

/** Moves the focus for a menu key and returns whether the key was one. */
export function onMenuKey(event: KeyboardEvent, menu: HTMLElement): boolean {
  const items = menuItems(menu);
  const currentIndex = items.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: currentIndex + 1, ArrowUp: currentIndex - 1, ArrowRight: currentIndex + 1, ArrowLeft: currentIndex - 1, Home: 0, End: -1 }[
    event.key
  ];
  if (step !== undefined) {
    event.preventDefault();
    items.at(step % items.length)?.focus();
    return true;
  }
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return false;
  const next = [...items.slice(currentIndex + 1), ...items].find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()));
  next?.focus();
  return next !== undefined;
}
