import { expect, test, vi } from "vitest";
import { offerUndo, undoLast } from "./file-operations.ts";

test("only who did it takes it back, and once", () => {
  const onUndo = vi.fn();
  offerUndo(1, "“contract.pdf” was deleted.", onUndo);
  expect(undoLast(2)).toBe(false);
  expect(onUndo).not.toHaveBeenCalled();
  expect([undoLast(1), undoLast(1)]).toEqual([true, false]);
  expect(onUndo).toHaveBeenCalledTimes(1);
});
