import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPresenceStore, TYPING_TIMEOUT_MS } from "./presence.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an account is typing until its signals stop, it sends, or the connection is lost", () => {
  const presence = createPresenceStore();
  const listener = vi.fn();
  presence.subscribe(listener);
  presence.startTyping(1, 5);
  presence.startTyping(1, 6);
  expect(presence.typing(1)).toEqual([5, 6]);
  expect(presence.typing(2)).toEqual([]);
  vi.advanceTimersByTime(TYPING_TIMEOUT_MS - 1);
  presence.startTyping(1, 5);
  // A repeated signal notifies no listeners.
  expect(listener).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  expect(presence.typing(1)).toEqual([5]);
  presence.stopTyping(1, 5);
  expect(presence.typing(1)).toEqual([]);
  presence.startTyping(1, 5);
  presence.clear();
  expect(presence.typing(1)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("present accounts are known while the project is followed", () => {
  const presence = createPresenceStore();
  presence.setPresent(1, [5, 6]);
  presence.setPresent(2, [5]);
  presence.startTyping(1, 6);
  const before = presence.present(1);
  expect(before).toEqual([5, 6]);
  expect(presence.present(1)).toBe(before);
  presence.removeProject(1);
  expect(presence.present(1)).toEqual([]);
  expect(presence.typing(1)).toEqual([]);
  expect(presence.present(2)).toEqual([5]);
});
