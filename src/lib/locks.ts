/** Acquires locks that exclude other tabs: the browser's, which end with their page, or leases where it offers none (plain http). */

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

/** A hidden tab's timers run once a minute and a request takes up to 15 s, so a holder that is silent for longer is gone. */
const LEASE_MS = 90_000;
/** Not shorter, since each upload of a folder renews a lease of its own. */
const RENEW_MS = 10_000;
const RETRY_MS = 300;

export interface Lease {
  name: string;
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

/** Changes the stored lease of a name atomically: null removes it, undefined leaves it. Resolves to whether it changed. */
type ChangeLease = (name: string, change: (current: Lease | undefined) => Lease | null | undefined) => Promise<boolean>;

/** Acquires a free lease and returns its release function; null when somebody else holds it. A holder that is silent for 90 s loses it. */
async function acquireLease(name: string, holder: string, changeLease: ChangeLease): Promise<(() => Promise<void>) | null> {
  const acquireOrRenew = () =>
    changeLease(name, (current) => {
      const now = Date.now();
      // An expiry beyond the maximum was written before the clock was set back.
      if (current && current.holder !== holder && current.until > now && current.until <= now + LEASE_MS) return undefined;
      return { name, holder, until: now + LEASE_MS };
    });
  if (!(await acquireOrRenew())) return null;
  const renewal = setInterval(() => void acquireOrRenew().catch(() => undefined), RENEW_MS);
  return async () => {
    clearInterval(renewal);
    // Another holder may have it by now.
    await changeLease(name, (current) => (current?.holder === holder ? null : undefined)).catch(() => undefined);
  };
}

export type TabLocks = ReturnType<typeof createTabLocks>;

/** Creates the locks of one tab. If not even a lease can be stored, no other tab can find what the lock protects, so it is granted. */
export function createTabLocks(tabId: string, changeLease: ChangeLease) {
  /** A lease only distinguishes tabs, so this set keeps one page from acquiring the same lease twice. */
  const leasedNames = new Set<string>();

  async function tryAcquireLease(name: string): Promise<(() => Promise<void>) | null> {
    if (leasedNames.has(name)) return null;
    leasedNames.add(name);
    const release = await acquireLease(name, tabId, changeLease).catch(() => async () => undefined);
    if (!release) leasedNames.delete(name);
    return (
      release &&
      (async () => {
        leasedNames.delete(name);
        await release();
      })
    );
  }

  return {
    /** Locks `name` until released or until the tab closes. Returns the release function, or null when another tab holds the lock. */
    acquire: (name: string): Promise<(() => unknown) | null> => ("locks" in navigator ? acquireLock(name) : tryAcquireLease(name)),
    /** Runs while no other tab holds the lock. */
    async run(name: string, run: () => Promise<void>): Promise<void> {
      if ("locks" in navigator) return void (await navigator.locks.request(name, run));
      let release = await tryAcquireLease(name);
      while (!release) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        release = await tryAcquireLease(name);
      }
      try {
        await run();
      } finally {
        await release();
      }
    },
  };
}
