import { expect, test, vi } from "vitest";
import { createToasts } from "./toast.ts";

test("only the account that made a change can undo it, once", () => {
  const onUndo = vi.fn();
  const toasts = createToasts();
  toasts.offerUndo("“contract.pdf” was deleted.", "Undo", onUndo);
  expect(createToasts().undoLast()).toBe(false);
  expect(onUndo).not.toHaveBeenCalled();
  expect([toasts.undoLast(), toasts.undoLast()]).toEqual([true, false]);
  expect(onUndo).toHaveBeenCalledTimes(1);
  expect(toasts.queue.visibleToasts).toEqual([]);
});

test("the fourth toast replaces the oldest", () => {
  const toasts = createToasts();
  for (const text of ["one", "two", "three", "four"]) toasts.show({ text });
  expect(toasts.queue.visibleToasts.map(({ content }) => content.text)).toEqual(["four", "three", "two"]);
  toasts.queue.close(toasts.queue.visibleToasts[0]!.key);
  expect(toasts.queue.visibleToasts.map(({ content }) => content.text)).toEqual(["three", "two"]);
});
