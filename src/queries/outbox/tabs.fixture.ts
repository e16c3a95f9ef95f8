/** Several tabs of one browser in one process, on a clock that the test moves. */
import { afterEach, beforeEach, vi } from "vitest";
import type { keptTogether } from "./outbox.fixture.ts";

/** What one tab says, the others hear. */
const channels = new Set<Channel>();
class Channel {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    channels.add(this);
  }
  postMessage(data: unknown) {
    const told = structuredClone(data);
    for (const other of channels) if (other !== this) setTimeout(() => other.onmessage?.({ data: told }), 0);
  }
}

/** Before each test of this file. */
export function livesInTabs(): void {
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

type Store = ReturnType<ReturnType<ReturnType<typeof keptTogether>["page"]>["storeOf"]>;

/** A database is slower than a word from tab to tab. */
export function slow(store: Store): Pick<Store, "load" | "put" | "update"> {
  const slowly = async () => void (await new Promise((resolve) => setTimeout(resolve, 2)));
  return {
    load: () => slowly().then(store.load),
    put: (entry) => slowly().then(() => store.put(entry)),
    update: (...given) => slowly().then(() => store.update(...given)),
  };
}
