/** Detects a code chunk that failed to load, and finds a page's entry script to tell whether the page is outdated. */

/** Matches the messages of Chromium, Firefox and Safari for a module that failed to load, and of the build's loader for a stylesheet. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);

/** Returns the URL of the entry module in a page's HTML. */
export function findEntryScript(html: string): string | null {
  for (const [tag] of html.matchAll(/<script\b[^>]*>/gi)) {
    if (/\btype="module"/i.test(tag)) return /\bsrc="([^"]+)"/i.exec(tag)?.[1] ?? null;
  }
  return null;
}
