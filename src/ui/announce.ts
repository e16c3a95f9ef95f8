/** Announces changes elsewhere on the page to screen readers. */

let region: HTMLElement | null = null;

/** Sets the live region, which is mounted once. */
export function setAnnouncer(element: HTMLElement | null): void {
  region = element;
}

/** Announces `text` as soon as the screen reader is idle. */
export function announce(text: string): void {
  if (!region) return;
  // Setting the same text again is no change, so a no-break space is appended.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
