import { expect, test, vi } from "vitest";
import { offerUndo, undoLast } from "./file-operations.ts";

test("only the account that made a change can undo it, once", () => {
  const onUndo = vi.fn();
  offerUndo(1, "“contract.pdf” was deleted.", onUndo);
  expect(undoLast(2)).toBe(false);
  expect(onUndo).not.toHaveBeenCalled();
  expect([undoLast(1), undoLast(1)]).toEqual([true, false]);
  expect(onUndo).toHaveBeenCalledTimes(1);
});
