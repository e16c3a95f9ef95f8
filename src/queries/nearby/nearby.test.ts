import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createNearby, TYPING_MS } from "./nearby.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("who writes is shown until they stop telling, send, or the connection goes", () => {
  const nearby = createNearby();
  const listener = vi.fn();
  nearby.onChange(listener);
  nearby.hearTyping(1, 5);
  nearby.hearTyping(1, 6);
  expect(nearby.typing(1)).toEqual([5, 6]);
  expect(nearby.typing(2)).toEqual([]);
  vi.advanceTimersByTime(TYPING_MS - 1);
  nearby.hearTyping(1, 5);
  // Told again: nothing changes for who looks.
  expect(listener).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  expect(nearby.typing(1)).toEqual([5]);
  nearby.stopTyping(1, 5);
  expect(nearby.typing(1)).toEqual([]);
  nearby.hearTyping(1, 5);
  nearby.clear();
  expect(nearby.typing(1)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("who is present is known while the project is followed", () => {
  const nearby = createNearby();
  nearby.hearPresence(1, [5, 6]);
  nearby.hearPresence(2, [5]);
  nearby.hearTyping(1, 6);
  const before = nearby.present(1);
  expect(before).toEqual([5, 6]);
  expect(nearby.present(1)).toBe(before);
  nearby.leave(1);
  expect(nearby.present(1)).toEqual([]);
  expect(nearby.typing(1)).toEqual([]);
  expect(nearby.present(2)).toEqual([5]);
});
