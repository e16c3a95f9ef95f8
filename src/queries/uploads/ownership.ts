/** Which tab carries an upload: the first one that asks, until it goes. */

/** The way to let go, or null where another tab has it. Without Web Locks (plain http) every tab thinks it is alone. */
export async function holdUpload(id: string): Promise<(() => void) | null> {
  if (!("locks" in navigator)) return () => undefined;
  return new Promise((resolve) => {
    void navigator.locks.request(`talkback.upload.${id}`, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      const held = Promise.withResolvers<void>();
      resolve(held.resolve);
      return held.promise;
    });
  });
}
