/** Which tab carries an upload: the first one that asks, until it goes. */
import { TAB_ID } from "../outbox/this-tab.ts";

/** A lease asks for the tab alone: what this page has must not be had twice. */
const leasedNames = new Set<string>();

/** The way to let go, or null where it is carried already. Where even a lease cannot be kept no other tab can know of the upload either. */
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
