import { expect, test, vi } from "vitest";
import { createProgressStore } from "./progress.ts";

const heard = (file_id: number, version: number, progress: number) => ({ project_id: 1, file_id, version, step: "peaks", progress });

test("keeps the last word on each version, within 0 and 1", () => {
  const store = createProgressStore();
  store.hear(heard(7, 1, 0.2));
  store.hear(heard(7, 1, 0.4));
  store.hear(heard(7, 2, 1.5));
  store.hear(heard(8, 1, -1));
  expect([store.of(7, 1), store.of(7, 2), store.of(8, 1), store.of(9, 1)]).toEqual([0.4, 1, 0, undefined]);
});

test("tells of changes alone, until nobody listens", () => {
  const store = createProgressStore();
  const listener = vi.fn<() => void>();
  const stop = store.onChange(listener);
  store.hear(heard(7, 1, 0.2));
  store.hear(heard(7, 1, 0.2));
  store.forget(8, 1);
  expect(listener).toHaveBeenCalledTimes(1);
  store.forget(7, 1);
  expect(store.of(7, 1)).toBeUndefined();
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  store.hear(heard(7, 1, 0.2));
  expect(listener).toHaveBeenCalledTimes(2);
});
