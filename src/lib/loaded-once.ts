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
