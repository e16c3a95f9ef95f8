/** Acquires the browser's locks, which exclude other tabs and end with their page. */

interface LockOptions {
  /** Waits for the lock until aborted; without it, a lock that another tab holds is not waited for. */
  signal?: AbortSignal | undefined;
  locks?: LockManager;
}

/** Returns the lock's release function; null when another tab holds the lock, or once `signal` aborts the wait. */
export const acquireLock = (name: string, { signal, locks = navigator.locks }: LockOptions = {}): Promise<(() => void) | null> =>
  new Promise((resolve) => {
    const request = locks.request(name, signal ? { signal } : { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      const held = Promise.withResolvers<void>();
      resolve(held.resolve);
      return held.promise;
    });
    request.catch(() => resolve(null));
  });
