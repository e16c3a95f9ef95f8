import { afterEach, expect, test, vi } from "vitest";
import { keepAwake } from "./awake.ts";

afterEach(() => vi.unstubAllGlobals());

test("the screen stays lit while it is wanted: not twice, and again when the page is seen again", async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const lit = new Set<EventTarget>();
  const request = async () => {
    const lock = Object.assign(new EventTarget(), {
      async release() {
        lit.delete(lock);
        lock.dispatchEvent(new Event("release"));
      },
    });
    lit.add(lock);
    return lock;
  };
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { wakeLock: { request } });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  keepAwake(true);
  keepAwake(false);
  keepAwake(true);
  await settled();
  expect(lit.size).toBe(1);
  // The browser lets the screen of a hidden page go dark.
  page.visibilityState = "hidden";
  for (const lock of lit) await (lock as EventTarget & { release(): Promise<void> }).release();
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(lit.size).toBe(0);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(lit.size).toBe(1);
  keepAwake(false);
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(lit.size).toBe(0);
});
