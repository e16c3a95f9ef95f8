import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTabLocks, type Lease } from "./locks.ts";

describe("a lease", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("navigator", {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Sets up the stored lease that the tabs of one browser share. */
  function setUp() {
    let lease: Lease | undefined;
    const ran: string[] = [];
    /** Runs a tab that works for the given time; a frozen one renews nothing. */
    const tab = (holder: string, milliseconds: number, frozen = { is: false }) =>
      createTabLocks(holder, async (_name, change) => {
        if (frozen.is) return new Promise<never>(() => undefined);
        const after = change(lease);
        if (after !== undefined) lease = after ?? undefined;
        return after !== undefined;
      }).run("turn", async () => {
        ran.push(`${holder} begins`);
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        ran.push(`${holder} ends`);
      });
    return { tab, ran, holder: () => lease?.holder };
  }

  test("runs where not even a lease can be stored", async () => {
    const locks = createTabLocks("a", () => Promise.reject(new Error("no storage")));
    const ran: string[] = [];
    await locks.run("turn", async () => void ran.push("first"));
    await locks.run("turn", async () => void ran.push("second"));
    expect(ran).toEqual(["first", "second"]);
    expect(await locks.acquire("other")).toBeTypeOf("function");
  });

  test("is acquired once within a tab until it is released", async () => {
    let lease: Lease | undefined;
    const locks = createTabLocks("a", async (_name, change) => {
      const after = change(lease);
      if (after !== undefined) lease = after ?? undefined;
      return after !== undefined;
    });
    const release = await locks.acquire("turn");
    expect(await locks.acquire("turn")).toBeNull();
    await release?.();
    expect(await locks.acquire("turn")).toBeTypeOf("function");
  });

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
