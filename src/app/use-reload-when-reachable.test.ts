import { afterEach, expect, test, vi } from "vitest";
import { reserveReload } from "./use-reload-when-reachable.ts";

const START = 1_800_000_000_000;

const stubStorage = (setItem?: () => void) => {
  const values = new Map<string, string>();
  const storage = { getItem: (key: string) => values.get(key) ?? null, setItem: setItem ?? ((key: string, value: string) => void values.set(key, value)) };
  vi.stubGlobal("sessionStorage", storage);
};

afterEach(() => vi.unstubAllGlobals());

test("a page reloads itself once; the page that this loads does not, until the person reloads it", () => {
  stubStorage();
  expect(reserveReload(false, START + 5_000, START)).toBe(true);
  const [secondStart, thirdStart] = [START + 5_200, START + 900_000];
  expect(reserveReload(false, secondStart + 1_000, secondStart)).toBe(false);
  expect(reserveReload(false, secondStart + 3_600_000, secondStart)).toBe(false);
  expect(reserveReload(false, thirdStart + 1_000, thirdStart)).toBe(true);
});

test("after an outage the page reloads itself again, at most once a minute", () => {
  stubStorage();
  expect(reserveReload(true, START + 5_000, START)).toBe(true);
  const secondStart = START + 5_200;
  expect(reserveReload(true, START + 64_999, secondStart)).toBe(false);
  expect(reserveReload(true, START + 65_000, secondStart)).toBe(true);
});

test("a page whose tab stores nothing does not reload itself", () => {
  stubStorage(() => {
    throw new Error("QuotaExceededError");
  });
  expect(reserveReload(false, START + 5_000, START)).toBe(false);
  vi.stubGlobal("sessionStorage", undefined);
  expect(reserveReload(true, START + 5_000, START)).toBe(false);
});
