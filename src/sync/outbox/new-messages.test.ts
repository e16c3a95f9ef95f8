/** Tests that a new message is sent as soon as it is stored, and what must not be lost by that. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setUpOutbox } from "./outbox-setup.fixture.ts";
import { createSharedStorage } from "./outbox.fixture.ts";
import type { OutboxStore } from "./outbox-types.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);

/** Returns a storage whose store the test can replace in parts. */
function createStorage() {
  const storage = createSharedStorage();
  const replaced: Partial<OutboxStore> = {};
  const page = () => {
    const { openStore, runExclusive } = storage.page();
    return {
      runExclusive,
      openStore: (accountId: number) => new Proxy(openStore(accountId), { get: (store, name: keyof OutboxStore) => replaced[name] ?? store[name] }),
    };
  };
  return { storage: { ...storage, page }, replaced };
}

describe("a new message", () => {
  test("is sent once it is stored, without another look at the store", async () => {
    const { storage, replaced } = createStorage();
    const { outbox, write, attempts, states, runPending } = setUpOutbox(storage);
    await outbox.switchAccount(1);
    const stored = Promise.withResolvers<void>();
    replaced.put = () => stored.promise;
    replaced.load = never;
    replaced.update = never;
    write("a");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toEqual([]);
    stored.resolve();
    await runPending();
    expect(attempts).toEqual(["a id-1"]);
    expect(states()).toEqual(["a waiting"]);
  });

  test("is not sent before the messages of earlier pages are loaded", async () => {
    const { storage, replaced } = createStorage();
    const earlier = setUpOutbox(storage);
    earlier.outbox.add({ clientId: "earlier", projectId: 1, accountId: 1, body: "a", quote: null, uploads: ["u"] });
    await earlier.runPending();
    earlier.outbox.close();
    const loading = Promise.withResolvers<void>();
    const { outbox, write, attempts, uploadStates } = setUpOutbox(storage);
    uploadStates.set("u", { state: "ready" });
    // What was loaded for another account does not count.
    await outbox.switchAccount(2);
    const { load } = storage.page().openStore(1);
    replaced.load = () => loading.promise.then(load);
    void outbox.switchAccount(1);
    write("b");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toEqual([]);
    loading.resolve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toEqual(["a earlier", "b id-1"]);
  });

  test("waits for its turn behind a message that is still to be sent", async () => {
    const { outbox, write, attempts, results } = setUpOutbox();
    await outbox.switchAccount(1);
    results.push({ result: "later", afterMs: 60_000 });
    write("a");
    await vi.advanceTimersByTimeAsync(20);
    write("b");
    outbox.wake();
    await vi.advanceTimersByTimeAsync(100);
    expect(attempts).toEqual(["a id-1", "a id-1", "b id-2"]);
  });

  test("is not sent again by its tab when another tab, which held the lock, has sent it", async () => {
    const storage = createSharedStorage();
    const first = setUpOutbox(storage);
    const second = setUpOutbox(storage);
    await first.outbox.switchAccount(1);
    await second.outbox.switchAccount(1);
    first.write("a");
    await vi.advanceTimersByTimeAsync(5);
    second.outbox.add({ clientId: "b", projectId: 1, accountId: 1, body: "b", quote: null, uploads: [] });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(first.attempts).toEqual(["a id-1", "b b"]);
    expect(second.attempts).toEqual([]);
    expect([storage.entries.size, second.states()]).toEqual([0, []]);
  });

  test("that a crash interrupts while it is sent is sent again under its id by the next page", async () => {
    const storage = createSharedStorage();
    const crashed = setUpOutbox(storage);
    await crashed.outbox.switchAccount(1);
    crashed.write("a");
    await crashed.runPending();
    expect(crashed.attempts).toEqual(["a id-1"]);
    storage.crash();
    const next = setUpOutbox(storage);
    await next.outbox.switchAccount(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(next.attempts).toEqual(["a id-1"]);
    expect(storage.entries.size).toBe(0);
  });
});
