/** Lets one request at a time write to an upload, also across the processes that share one PostgreSQL: a newer request ends an older one. */
import { ERRORS, type Lock, type Locker, MemoryLocker, type RequestRelease } from "@tus/server";
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionLocks } from "../../db/session-locks.ts";
import { SECOND } from "../../lib/clock.ts";

/** How long a request waits for an older one, as in @tus/server. */
const TIMEOUT_MS = 30 * SECOND;
const RETRY_MS = 50;

/** `shared`: locks between processes; null where this process is the only one. */
export function createUploadLocker(shared: SessionLocks | null): Locker {
  const local = new MemoryLocker({ acquireLockTimeout: TIMEOUT_MS });
  if (!shared) return local;

  async function acquireShared(name: string, signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    const end = (): void => void requestRelease();
    for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline && !signal.aborted; await sleep(RETRY_MS)) {
      if (await shared!.tryAcquire(name, { onRequest: end, onLost: end })) return;
      await shared!.request(name);
    }
    throw ERRORS.ERR_LOCK_TIMEOUT;
  }

  return {
    newLock(id): Lock {
      const name = `upload ${id}`;
      const lock = local.newLock(id);
      return {
        async lock(signal, requestRelease) {
          await lock.lock(signal, requestRelease);
          try {
            await acquireShared(name, signal, requestRelease);
          } catch (error) {
            await lock.unlock();
            throw error;
          }
        },
        async unlock() {
          // A lock that cannot be released ends with its connection.
          await shared.release(name).catch(() => {});
          await lock.unlock();
        },
      };
    },
  };
}
