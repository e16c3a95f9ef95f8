/** Which tab carries an upload: the first one that asks, until it goes. */
import { randomId } from "../../lib/random-id.ts";

const TAB = randomId();

/** The way to let go, or null where another tab has it. Where even a lease cannot be kept no other tab can know of the upload either. */
export async function holdUpload(id: string): Promise<(() => void) | null> {
  const name = `talkback.upload.${id}`;
  if (!("locks" in navigator)) {
    const lease = import("../outbox/outbox-store.ts").then(({ tryLeased }) => tryLeased(name, TAB));
    return lease.catch(() => () => undefined);
  }
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      const held = Promise.withResolvers<void>();
      resolve(held.resolve);
      return held.promise;
    });
  });
}
