/** Moves the focus to the heading of the open view. */
export function focusHeading(): void {
  // On a phone the list of projects is a view with a heading outside `main`. The heading of a view in a project follows the project's.
  const heading = [...document.querySelectorAll<HTMLElement>("h1")].findLast((element) => element.checkVisibility());
  (heading ?? document.getElementById("content"))?.focus({ preventScroll: true });
}

/** Moves the focus to the heading after what had it has closed. */
export const focusHeadingIfLost = (): void => void requestAnimationFrame(() => document.activeElement === document.body && focusHeading());
