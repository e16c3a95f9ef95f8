/** Parts of the page that did not arrive, and how to tell whether the page itself is an old one. */

/** How Chromium, Firefox and Safari name a module that did not load, and how the build's loader names a stylesheet. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);

/** The address of the entry module in a page's HTML. */
export function findEntryScript(html: string): string | null {
  for (const [tag] of html.matchAll(/<script\b[^>]*>/gi)) {
    if (/\btype="module"/i.test(tag)) return /\bsrc="([^"]+)"/i.exec(tag)?.[1] ?? null;
  }
  return null;
}
