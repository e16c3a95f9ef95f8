/** A turn that tabs take by writing their name down: for browsers that offer no locks. */

export interface Lease {
  name: string;
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

interface LeaseRequest {
  name: string;
  holder: string;
  /** Changes what is written down, in a single step: null removes it, undefined leaves it. Answers whether something was changed. */
  change(change: (current: Lease | undefined) => Lease | null | undefined): Promise<boolean>;
}

/** A hidden tab's timers run once a minute, and a request takes up to fifteen seconds: who is silent for longer is gone. */
const LEASE_MS = 90_000;
/** Each upload of a folder has its own. */
const RENEW_MS = 10_000;
const RETRY_MS = 300;

/** Takes a lease that nobody holds, and answers the way to let go; null where somebody does. Who is silent for 90 s loses it. */
export async function tryAcquireLease({ name, holder, change }: LeaseRequest): Promise<(() => Promise<void>) | null> {
  const acquireOrRenew = () =>
    change((current) => {
      const now = Date.now();
      // One that ends later than any can was written before the clock was set back.
      if (current && current.holder !== holder && current.until > now && current.until <= now + LEASE_MS) return undefined;
      return { name, holder, until: now + LEASE_MS };
    });
  if (!(await acquireOrRenew())) return null;
  const renewal = setInterval(() => void acquireOrRenew().catch(() => undefined), RENEW_MS);
  return async () => {
    clearInterval(renewal);
    // It may be another's by now.
    await change((current) => (current?.holder === holder ? null : undefined)).catch(() => undefined);
  };
}

/** Runs while nobody else holds the lease. */
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
