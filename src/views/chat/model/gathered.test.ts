import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gathered } from "./gathered.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what arrives within two seconds is told once, from where was told last", () => {
  const tell = vi.fn();
  const { hear } = gathered(tell);
  hear(10);
  vi.advanceTimersByTime(5_000);
  expect(tell).not.toHaveBeenCalled();
  for (let id = 11; id <= 20; id += 1) {
    hear(id);
    vi.advanceTimersByTime(100);
  }
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(tell.mock.calls).toEqual([[10]]);
  hear(20);
  hear(15);
  vi.advanceTimersByTime(5_000);
  expect(tell).toHaveBeenCalledTimes(1);
  hear(21);
  vi.advanceTimersByTime(2_000);
  expect(tell.mock.calls).toEqual([[10], [20]]);
});

test("nothing is told of a chat that was left", () => {
  const tell = vi.fn();
  const { hear, stop } = gathered(tell);
  hear(1);
  hear(2);
  stop();
  vi.advanceTimersByTime(5_000);
  expect(tell).not.toHaveBeenCalled();
});
