import { expect, test, vi } from "vitest";
import { createLatePart } from "./store.ts";

test("a late part is created once, and disposed of even if it loads later", async () => {
  const dispose = vi.fn();
  const created = Promise.withResolvers<{ dispose(): void }>();
  const create = vi.fn(() => created.promise);
  const part = createLatePart(create);
  expect(() => part.get()).toThrow("before it had loaded");
  const loads = [part.load(), part.load()];
  part.dispose();
  expect(dispose).not.toHaveBeenCalled();
  created.resolve({ dispose });
  const [first, second] = await Promise.all(loads);
  expect(create).toHaveBeenCalledOnce();
  expect([second, part.get()]).toEqual([first, first]);
  await vi.waitFor(() => expect(dispose).toHaveBeenCalledOnce());
});

test("a load that failed can be repeated, and its error goes only to those who asked for the part", async () => {
  const create = vi.fn(async () => ({ dispose() {} }));
  create.mockRejectedValueOnce(new Error("no connection"));
  const part = createLatePart(create);
  const failed = part.load();
  // An unhandled rejection would fail the test run.
  part.dispose();
  await expect(failed).rejects.toThrow("no connection");
  const loaded = await part.load();
  expect(part.get()).toBe(loaded);
});
