/**
 * Tests tabs that write messages and comments, lose the network, miss responses and crash between any two steps: everything is sent once and
 * in order.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSharedStorage } from "./outbox.fixture.ts";
import type { Outbox } from "./create-outbox.ts";
import { createOutbox } from "./create-outbox.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TABS = 2;

async function simulate(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const random = (bound: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.abs(state) % bound;
  };
  const storage = createSharedStorage();
  /** What the service accepted, by client id, in order of arrival. */
  const received = new Map<string, string>();
  const written: string[] = [];
  let ids = 0;
  let epoch = 0;
  let tabs: Outbox[] = [];

  function openTab(): Outbox {
    const tabEpoch = epoch;
    const outbox = createOutbox({
      ...storage.page(),
      notifyTabs: () => {
        if (tabEpoch === epoch) for (const tab of tabs) if (tab !== outbox) tab.reload();
      },
      async send(entry) {
        const reached = random(3) > 0;
        await new Promise((resolve) => setTimeout(resolve, random(40)));
        // A request in flight may still arrive after its page has died.
        if (reached && !received.has(entry.clientId)) received.set(entry.clientId, entry.body);
        await new Promise((resolve) => setTimeout(resolve, random(40)));
        if (tabEpoch !== epoch) return new Promise<never>(() => undefined);
        return reached && random(4) > 0 ? { result: "sent" } : { result: "later" };
      },
      readiness: () => ({ state: "ready" }),
      claimUploads: () => undefined,
      resumeUploads: () => undefined,
      releaseUploads: () => undefined,
      newId: () => `id-${(ids += 1)}`,
      now: () => Date.now() - random(2) * 86_400_000,
    });
    void outbox.switchAccount(1);
    return outbox;
  }
  const reopen = () => {
    storage.crash();
    epoch += 1;
    tabs = [];
    for (let index = 0; index < TABS; index += 1) tabs.push(openTab());
  };

  reopen();
  await vi.advanceTimersByTimeAsync(5);
  for (let step = 0; step < 25; step += 1) {
    const action = random(5);
    if (action < 3) {
      const body = `m${written.length}`;
      const comment = random(3) === 0 ? { fileId: 7, version: 1, at: random(9_000), end: null, parentId: null } : null;
      tabs[random(TABS)]!.add({ projectId: 1, accountId: 1, body, quote: null, uploads: [], comment });
      written.push(body);
      // Until the entry is stored, a crash leaves only the draft, which the draft tests cover.
      await vi.advanceTimersByTimeAsync(1);
    } else if (action === 3) reopen();
    else tabs[random(TABS)]!.wake();
    await vi.advanceTimersByTimeAsync(random(120));
  }
  await vi.advanceTimersByTimeAsync(600_000);
  return { received: [...received.values()], written, left: storage.entries.size, shown: tabs.map((tab) => tab.entries().length) };
}

test.each(Array.from({ length: 60 }, (_, index) => index + 1))("seed %i: every entry is sent once and in order", async (seed) => {
  const { received, written, left, shown } = await simulate(seed);
  expect(received).toEqual(written);
  expect(left).toBe(0);
  expect(shown).toEqual(Array.from({ length: TABS }, () => 0));
});
