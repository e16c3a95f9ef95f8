import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createEarlierDatabase, stubIndexedDb } from "../../lib/indexed-db.fixture.ts";
import { createTabLocks } from "../../lib/locks.ts";
import type { OutboxEntry } from "./outbox-types.ts";
import { createOutboxDatabase, serviceKey, upgradeStoredEntry } from "./outbox-store.ts";

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
  const { openStore, changeLease } = createOutboxDatabase();
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
    expect(await openStore(SERVICE, 5).load()).toEqual([expect.objectContaining(buildEntry("earlier", { isDelayed: true, error: "too long" }))]);
  });

  test("loads an account's entries for its service, comments among them, and changes and removes single ones", async () => {
    const store = openStore(SERVICE, 7);
    const comment = { fileId: 7, version: 1, at: null, end: null, parentId: null };
    for (const entry of [buildEntry("a"), buildEntry("b", { comment }), buildEntry("c", { accountId: 8 })])
      await store.put(entry.clientId === "c" ? entry : { ...entry, accountId: 7 });
    const loadIds = async () => (await store.load()).map(({ clientId }) => clientId);
    expect([await loadIds(), await openStore("https://other.test/", 7).load()]).toEqual([["a", "b"], []]);
    expect(await store.update("a", (entry) => ({ ...entry, state: "failed" }))).toBe(true);
    expect(await store.update("a", () => undefined)).toBe(false);
    expect((await store.load()).map(({ state }) => state)).toEqual(["failed", "waiting"]);
    expect(await store.update("a", () => null)).toBe(true);
    expect(await store.update("a", () => null)).toBe(false);
    expect(await loadIds()).toEqual(["b"]);
  });

  test("lets one tab at a time hold a lease", async () => {
    vi.stubGlobal("navigator", {});
    const [first, second] = [createTabLocks("a", changeLease), createTabLocks("b", changeLease)];
    const release = await first.acquire("upload");
    expect([release === null, await first.acquire("upload"), await second.acquire("upload")]).toEqual([false, null, null]);
    await release!();
    const releaseAgain = await second.acquire("upload");
    expect(releaseAgain).not.toBeNull();
    await releaseAgain!();
  });
});
