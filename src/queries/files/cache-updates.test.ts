import { expect, test, vi } from "vitest";
import { createProgressStore } from "./cache-updates.ts";

const buildProgress = (file_id: number, version: number, progress: number) => ({ project_id: 1, file_id, version, step: "peaks", progress });

test("the progress store returns the latest progress of each version, between 0 and 1", () => {
  const store = createProgressStore();
  store.update(buildProgress(7, 1, 0.2));
  store.update(buildProgress(7, 1, 0.4));
  store.update(buildProgress(7, 2, 1.5));
  store.update(buildProgress(8, 1, -1));
  expect([store.get(7, 1), store.get(7, 2), store.get(8, 1), store.get(9, 1)]).toEqual([0.4, 1, 0, undefined]);
});

test("the progress store notifies listeners only of changes, until they unsubscribe", () => {
  const store = createProgressStore();
  const listener = vi.fn<() => void>();
  const stop = store.subscribe(listener);
  store.update(buildProgress(7, 1, 0.2));
  store.update(buildProgress(7, 1, 0.2));
  store.end(8, 1);
  expect(listener).toHaveBeenCalledTimes(1);
  store.end(7, 1);
  expect(store.get(7, 1)).toBeUndefined();
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  store.update(buildProgress(7, 1, 0.2));
  expect(listener).toHaveBeenCalledTimes(2);
});
