import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { batchedAnnouncements } from "./gathered.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what arrives within two seconds is told once, from where was told last", () => {
  const announceSince = vi.fn();
  const { update } = batchedAnnouncements(announceSince);
  update(10);
  vi.advanceTimersByTime(5_000);
  expect(announceSince).not.toHaveBeenCalled();
  for (let id = 11; id <= 20; id += 1) {
    update(id);
    vi.advanceTimersByTime(100);
  }
  expect(announceSince).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(announceSince.mock.calls).toEqual([[10]]);
  update(20);
  update(15);
  vi.advanceTimersByTime(5_000);
  expect(announceSince).toHaveBeenCalledTimes(1);
  update(21);
  vi.advanceTimersByTime(2_000);
  expect(announceSince.mock.calls).toEqual([[10], [20]]);
});

test("nothing is told of a chat that was left", () => {
  const announceSince = vi.fn();
  const { update, stop } = batchedAnnouncements(announceSince);
  update(1);
  update(2);
  stop();
  vi.advanceTimersByTime(5_000);
  expect(announceSince).not.toHaveBeenCalled();
});
