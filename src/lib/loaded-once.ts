/**
 * Code that comes when it is first needed, as one promise for all who ask: they are answered in the order in which they asked.
 * A second `import()` may be there before the first one, which waits for what the code needs. Asked again after a failure, it tries anew.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let code: Promise<T> | undefined;
  return () =>
    (code ??= load().catch((error: unknown) => {
      code = undefined;
      throw error;
    }));
}
