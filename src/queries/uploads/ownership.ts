/** Assigns each upload to one tab: the first that acquires its lock, until it closes. */
import { TAB_ID } from "../outbox/this-tab.ts";

/** A lease only distinguishes tabs, so this set keeps one page from acquiring the same lease twice. */
const leasedNames = new Set<string>();

/**
 * Returns the release function, or null when the upload is locked already. Where even a lease cannot be stored, no other tab can know of the
 * upload, so the lock is granted.
 */
export async function acquireUploadLock(id: string): Promise<(() => void) | null> {
  const name = `talkback.upload.${id}`;
  if (!("locks" in navigator)) return acquireLease(name);
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      const released = Promise.withResolvers<void>();
      resolve(released.resolve);
      return released.promise;
    });
  });
}

async function acquireLease(name: string): Promise<(() => void) | null> {
  if (leasedNames.has(name)) return null;
  leasedNames.add(name);
  const lease = await import("../outbox/outbox-store.ts").then(({ tryAcquireNamedLease }) => tryAcquireNamedLease(name, TAB_ID)).catch(() => () => undefined);
  if (!lease) leasedNames.delete(name);
  return (
    lease &&
    (() => {
      leasedNames.delete(name);
      void lease();
    })
  );
}
