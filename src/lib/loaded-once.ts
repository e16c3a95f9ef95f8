/**
 * Code that comes when it is first needed, as one promise for all who ask: they are answered in the order in which they asked.
 * A second `import()` may be there before the first one, which waits for what the code needs. Asked again after a failure, it tries anew.
 */
export function lazyOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () =>
    (promise ??= load().catch((error: unknown) => {
      promise = undefined;
      throw error;
    }));
}
