/** How one moves within a menu: arrows, Home, End, first letters. */
import type { KeyboardEvent } from "react";

/** The items of a menu that can be chosen. */
export const menuItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')];

/** Answers whether the key was one of the menu's. */
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
