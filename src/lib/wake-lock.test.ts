import { afterEach, expect, test, vi } from "vitest";
import { createWakeLock } from "./wake-lock.ts";

afterEach(() => vi.unstubAllGlobals());

test("the wake lock is requested once, and reacquired when the page becomes visible", async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const heldLocks = new Set<EventTarget>();
  const request = async () => {
    const lock = Object.assign(new EventTarget(), {
      async release() {
        heldLocks.delete(lock);
        lock.dispatchEvent(new Event("release"));
      },
    });
    heldLocks.add(lock);
    return lock;
  };
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { wakeLock: { request } });
  const setWakeLock = createWakeLock();
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  setWakeLock(true);
  setWakeLock(false);
  setWakeLock(true);
  await nextTask();
  expect(heldLocks.size).toBe(1);
  // The browser lets the screen of a hidden page go dark.
  page.visibilityState = "hidden";
  for (const lock of heldLocks) await (lock as EventTarget & { release(): Promise<void> }).release();
  page.dispatchEvent(new Event("visibilitychange"));
  await nextTask();
  expect(heldLocks.size).toBe(0);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await nextTask();
  expect(heldLocks.size).toBe(1);
  setWakeLock(false);
  page.dispatchEvent(new Event("visibilitychange"));
  await nextTask();
  expect(heldLocks.size).toBe(0);
});
