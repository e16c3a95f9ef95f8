/** Loads code chunks on demand, detects those that failed to load, and finds a page's entry script to tell whether the page is outdated. */

/**
 * Loads code on first use and shares one promise, so that callers resolve in call order: a second `import()` could resolve before the first, which
 * waits for the code's dependencies. A call after a failure retries.
 */
export function lazyOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () =>
    (promise ??= load().catch((error: unknown) => {
      promise = undefined;
      throw error;
    }));
}

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
