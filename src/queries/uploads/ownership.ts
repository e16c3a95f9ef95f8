/** Which tab carries an upload: the first one that asks, until it goes. */
import { TAB } from "../outbox/this-tab.ts";

/** A lease asks for the tab alone: what this page has must not be had twice. */
const leased = new Set<string>();

/** The way to let go, or null where it is carried already. Where even a lease cannot be kept no other tab can know of the upload either. */
export async function holdUpload(id: string): Promise<(() => void) | null> {
  const name = `talkback.upload.${id}`;
  if (!("locks" in navigator)) return holdByLease(name);
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      const held = Promise.withResolvers<void>();
      resolve(held.resolve);
      return held.promise;
    });
  });
}

async function holdByLease(name: string): Promise<(() => void) | null> {
  if (leased.has(name)) return null;
  leased.add(name);
  const lease = await import("../outbox/outbox-store.ts").then(({ tryLeased }) => tryLeased(name, TAB)).catch(() => () => undefined);
  if (!lease) leased.delete(name);
  return (
    lease &&
    (() => {
      leased.delete(name);
      void lease();
    })
  );
}
