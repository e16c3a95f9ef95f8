/** Tests the points that requests and frames take. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createBudget } from "./budget.ts";

function createTestBudget(options: { capacity: number; perSecond: number; maxKeys?: number }) {
  let time = 0;
  const budget = createBudget({ maxKeys: 1_000, ...options, now: () => time });
  return { ...budget, wait: (seconds: number) => void (time += seconds * 1_000) };
}

it("a key may use its capacity at once, then as much as refills, and the refusal says when", () => {
  const { spend, wait } = createTestBudget({ capacity: 10, perSecond: 2 });
  expect(Array.from({ length: 10 }, () => spend("a"))).toEqual(Array(10).fill(0));
  expect(spend("a")).toBe(0.5);
  wait(0.5);
  expect(spend("a")).toBe(0);
  expect(spend("a")).toBe(0.5);
  expect(spend("b")).toBe(0);
});

it("an expensive use takes its cost or nothing, and one above the capacity takes all of it", () => {
  const { spend, wait } = createTestBudget({ capacity: 10, perSecond: 1 });
  expect(spend("a", 7)).toBe(0);
  expect(spend("a", 5)).toBe(2);
  expect(spend("a", 3)).toBe(0);
  expect(spend("a", 100)).toBe(10);
  wait(10);
  expect(spend("a", 100)).toBe(0);
  expect(spend("a")).toBe(1);
});

it("only the keys unused for longest are forgotten", () => {
  const { spend } = createTestBudget({ capacity: 1, perSecond: 0.001, maxKeys: 3 });
  for (const key of ["a", "b", "c"]) expect(spend(key)).toBe(0);
  expect(spend("a")).toBeGreaterThan(0);
  expect(spend("d")).toBe(0);
  // Forgotten.
  expect(spend("a")).toBe(0);
  for (const key of ["c", "d"]) expect(spend(key), key).toBeGreaterThan(0);
});

it("no sequence of uses gets more than the capacity and what has refilled", () => {
  const step = fc.record({ cost: fc.integer({ min: 1, max: 30 }), seconds: fc.double({ min: 0, max: 5, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { spend, wait } = createTestBudget({ capacity: 40, perSecond: 3 });
      let [used, elapsed] = [0, 0];
      for (const { cost, seconds } of steps) {
        wait(seconds);
        elapsed += seconds;
        if (spend("a", cost) === 0) used += cost;
        expect(used).toBeLessThanOrEqual(40 + elapsed * 3 + 1e-6);
      }
    }),
  );
});
