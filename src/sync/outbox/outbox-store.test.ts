import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createEarlierDatabase, stubIndexedDb } from "../../lib/indexed-db.fixture.ts";
import type { OutboxEntry } from "./outbox-types.ts";
import { type Lease, outboxStore, serviceKey, tryAcquireNamedLease, upgradeStoredEntry, withLease } from "./outbox-store.ts";

test("a page without comment support does not find comments, and does not send them as messages", () => {
  const comment = { fileId: 7, version: 1, at: null, end: null, parentId: null };
  expect(serviceKey("https://talkback.test/", { comment })).not.toBe("https://talkback.test/");
  for (const none of [null, undefined]) expect(serviceKey("https://talkback.test/", { comment: none! })).toBe("https://talkback.test/");
});

test("an entry that an earlier version stored is read with today's names", () => {
  const common = { clientId: "c", projectId: 1, accountId: 5, body: "hi", uploads: [], quote: null, writtenAt: 1, order: 1, afterId: 9 };
  const earlier = { ...common, state: "failed", delayed: true, fault: "must not be empty", kept: true } as unknown as OutboxEntry;
  const entry: OutboxEntry = { ...common, state: "failed", isDelayed: true, error: "must not be empty", isPersisted: true };
  expect(upgradeStoredEntry(earlier)).toEqual(entry);
  expect(upgradeStoredEntry(entry)).toEqual(entry);
  // A tab of the earlier version fails an entry of this one.
  expect(upgradeStoredEntry({ ...entry, error: null, fault: "too long" } as OutboxEntry)).toEqual({ ...entry, error: "too long" });
});

describe("the store", () => {
  const SERVICE = "https://talkback.test/";
  const buildEntry = (clientId: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
    clientId,
    projectId: 1,
    accountId: 5,
    body: "hi",
    uploads: [],
    quote: null,
    writtenAt: 1,
    order: 1,
    state: "waiting",
    isDelayed: false,
    error: null,
    afterId: null,
    isPersisted: true,
    ...changes,
  });
  // The module opens its database once, so its tests share one.
  beforeAll(async () => {
    stubIndexedDb();
    const { isDelayed: _, isPersisted: _kept, error: _fault, ...common } = buildEntry("earlier");
    await createEarlierDatabase("talkback.outbox", {
      entries: { keyPath: "clientId", records: { earlier: { ...common, service: SERVICE, delayed: true, fault: "too long", kept: true } } },
      leases: { keyPath: "name", records: {} },
    });
  });
  afterAll(() => vi.unstubAllGlobals());

  test("finds the entries that an earlier version left in the browser", async () => {
    expect(await outboxStore(SERVICE, 5).load()).toEqual([expect.objectContaining(buildEntry("earlier", { isDelayed: true, error: "too long" }))]);
  });

  test("loads an account's entries for its service, comments among them, and changes and removes single ones", async () => {
    const store = outboxStore(SERVICE, 7);
    const comment = { fileId: 7, version: 1, at: null, end: null, parentId: null };
    for (const entry of [buildEntry("a"), buildEntry("b", { comment }), buildEntry("c", { accountId: 8 })])
      await store.put(entry.clientId === "c" ? entry : { ...entry, accountId: 7 });
    const loadIds = async () => (await store.load()).map(({ clientId }) => clientId);
    expect([await loadIds(), await outboxStore("https://other.test/", 7).load()]).toEqual([["a", "b"], []]);
    expect(await store.update("a", (entry) => ({ ...entry, state: "failed" }))).toBe(true);
    expect(await store.update("a", () => undefined)).toBe(false);
    expect((await store.load()).map(({ state }) => state)).toEqual(["failed", "waiting"]);
    expect(await store.update("a", () => null)).toBe(true);
    expect(await store.update("a", () => null)).toBe(false);
    expect(await loadIds()).toEqual(["b"]);
  });

  test("lets one tab at a time hold a lease", async () => {
    const release = await tryAcquireNamedLease("upload", "a");
    expect([release === null, await tryAcquireNamedLease("upload", "b")]).toEqual([false, null]);
    await release!();
    const releaseAgain = await tryAcquireNamedLease("upload", "b");
    expect(releaseAgain).not.toBeNull();
    await releaseAgain!();
  });
});

describe("a lease", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Sets up the stored lease that the tabs of one browser share. */
  function setUp() {
    let lease: Lease | undefined;
    const ran: string[] = [];
    /** Runs a tab that works for the given time; a frozen one renews nothing. */
    const tab = (holder: string, milliseconds: number, frozen = { is: false }) =>
      withLease(
        {
          name: "turn",
          holder,
          async change(change) {
            if (frozen.is) return new Promise<never>(() => undefined);
            const after = change(lease);
            if (after !== undefined) lease = after ?? undefined;
            return after !== undefined;
          },
        },
        async () => {
          ran.push(`${holder} begins`);
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          ran.push(`${holder} ends`);
        },
      );
    return { tab, ran, holder: () => lease?.holder };
  }

  test("tabs run one after the other, and the lease is free at the end", async () => {
    const { tab, ran, holder } = setUp();
    void tab("a", 200_000);
    void tab("b", 1_000);
    await vi.advanceTimersByTimeAsync(199_000);
    expect(ran).toEqual(["a begins"]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ran).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(holder()).toBeUndefined();
  });

  test("a tab whose timers pause for a minute retains its lease, one that pauses longer loses it", async () => {
    const { tab, ran } = setUp();
    const frozen = { is: false };
    void tab("a", 300_000, frozen);
    await vi.advanceTimersByTimeAsync(10);
    frozen.is = true;
    void tab("b", 1_000);
    await vi.advanceTimersByTimeAsync(62_000);
    expect(ran).toEqual(["a begins"]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(ran).toEqual(["a begins", "b begins", "b ends"]);
  });

  test("a tab that resumes late does not take the lease from its new holder", async () => {
    const { tab, ran, holder } = setUp();
    const frozen = { is: false };
    void tab("a", 100_000, frozen);
    await vi.advanceTimersByTimeAsync(10);
    frozen.is = true;
    void tab("b", 60_000);
    await vi.advanceTimersByTimeAsync(95_000);
    expect(ran).toEqual(["a begins", "b begins"]);
    frozen.is = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ran).toEqual(["a begins", "b begins", "a ends"]);
    expect(holder()).toBe("b");
  });
});
