/** Id of the live region, which the shell renders once. */
export const ANNOUNCER_ID = "announcer";

/** Announces `text`, which changes elsewhere on the page, to screen readers as soon as they are idle. */
export function announce(text: string): void {
  const region = globalThis.document?.getElementById(ANNOUNCER_ID);
  if (!region) return;
  // Setting the same text again is no change, so a no-break space is appended.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
