/** Words for screen readers about what changed elsewhere on the page. */

let region: HTMLElement | null = null;

/** The element whose text is read out; mounted once. */
export function setAnnouncer(element: HTMLElement | null): void {
  region = element;
}

/** Reads `text` out when the screen reader has a pause. */
export function announce(text: string): void {
  if (!region) return;
  // The same text twice is no change: a no-break space makes it one.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
