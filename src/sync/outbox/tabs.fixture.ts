/** Simulates several tabs of one browser in one process, on a clock that the test controls. */
import { afterEach, beforeEach, vi } from "vitest";
import type { createSharedStorage } from "./outbox.fixture.ts";

/** Delivers what one tab posts to all other tabs. */
const channels = new Set<Channel>();
class Channel {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    channels.add(this);
  }
  postMessage(data: unknown) {
    const message = structuredClone(data);
    for (const other of channels) if (other !== this) setTimeout(() => other.onmessage?.({ data: message }), 0);
  }
}

/** Sets up the environment before each test of a file. */
export function setUpTabs(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12) });
    vi.stubGlobal("navigator", {});
    vi.stubGlobal("location", new URL("http://talkback.test/"));
    vi.stubGlobal("BroadcastChannel", Channel);
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    channels.clear();
  });
}

type Store = ReturnType<ReturnType<ReturnType<typeof createSharedStorage>["page"]>["openStore"]>;

/** Makes a store slower than messages between tabs. */
export function withLatency(store: Store): Pick<Store, "load" | "put" | "update"> {
  const delay = async () => void (await new Promise((resolve) => setTimeout(resolve, 2)));
  return {
    load: () => delay().then(store.load),
    put: (entry) => delay().then(() => store.put(entry)),
    update: (...args) => delay().then(() => store.update(...args)),
  };
}
