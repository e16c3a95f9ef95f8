import { useEffect, useState } from "react";

/** Returns the focused element and the focusable elements around it within the view, innermost first. */
function focusPath(): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let element = document.activeElement; element && !element.matches("main, body"); element = element.parentElement)
    if (element instanceof HTMLElement && (path.length === 0 || element.hasAttribute("tabindex"))) path.push(element);
  return path;
}

/**
 * Returns a function that gives the focus back to the element that had it when the overlay opened, or to the nearest one around it that still exists,
 * unless something else has taken it. It also runs after the overlay has closed, since the library restores the focus to that one element only.
 */
export function useReturnFocus(): () => void {
  const [path] = useState(focusPath);
  const returnFocus = () => {
    if (document.activeElement === document.body) path.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
  };
  useEffect(() => () => void requestAnimationFrame(returnFocus), []); // oxlint-disable-line react-hooks/exhaustive-deps -- runs on closing only
  return returnFocus;
}
