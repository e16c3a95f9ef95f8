/** Mutual exclusion between tabs through a stored record, for browsers that offer no locks. */

export interface Lease {
  name: string;
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

interface LeaseRequest {
  name: string;
  holder: string;
  /** Changes the stored record atomically: null removes it, undefined leaves it. Returns whether it changed. */
  change(change: (current: Lease | undefined) => Lease | null | undefined): Promise<boolean>;
}

/** A hidden tab's timers run once a minute and a request takes up to 15 s, so a holder that is silent for longer is gone. */
const LEASE_MS = 90_000;
/** Not shorter, since each upload of a folder renews a lease of its own. */
const RENEW_MS = 10_000;
const RETRY_MS = 300;

/** Acquires a free lease and returns its release function; null when somebody else holds it. A holder that is silent for 90 s loses it. */
export async function tryAcquireLease({ name, holder, change }: LeaseRequest): Promise<(() => Promise<void>) | null> {
  const acquireOrRenew = () =>
    change((current) => {
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
    await change((current) => (current?.holder === holder ? null : undefined)).catch(() => undefined);
  };
}

/** Waits for the lease and runs while holding it. */
export async function withLease(request: LeaseRequest, run: () => Promise<void>): Promise<void> {
  let release = await tryAcquireLease(request);
  while (!release) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    release = await tryAcquireLease(request);
  }
  try {
    await run();
  } finally {
    await release();
  }
}
