import { afterEach, expect, test, vi } from "vitest";
import { createDatabase } from "./database.ts";

/** Fakes the part of IndexedDB that opening and one record need. */
function fakeIndexedDb() {
  const records = new Map<string, { id: string }>();
  const opened: { onclose?: () => void; onversionchange?: () => void; close(): void }[] = [];
  const fake = { shouldFail: false, opened, records };
  const defer = (run: () => void) => queueMicrotask(run);
  const request = <T>(result: T) => {
    const idbRequest = { result, onsuccess: () => undefined };
    defer(() => idbRequest.onsuccess());
    return idbRequest;
  };
  vi.stubGlobal("indexedDB", {
    open() {
      const openRequest: Record<string, unknown> = { error: new Error("refused") };
      defer(() => {
        if (fake.shouldFail) return (openRequest["onerror"] as () => void)();
        const database = {
          close: () => undefined,
          transaction() {
            const transaction: Record<string, unknown> = {
              objectStore: () => ({
                get: (id: string) => request(records.get(id)),
                put: (record: { id: string }) => records.set(record.id, record),
                delete: (id: string) => records.delete(id),
              }),
            };
            setTimeout(() => (transaction["oncomplete"] as () => void)());
            return transaction;
          },
        };
        opened.push(database);
        openRequest["result"] = database;
        (openRequest["onsuccess"] as () => void)();
      });
      return openRequest;
    },
  });
  return fake;
}

afterEach(() => vi.unstubAllGlobals());

test("a database that failed to open is opened by the next calls, once", async () => {
  const fake = fakeIndexedDb();
  const database = createDatabase("test", () => undefined);
  fake.shouldFail = true;
  await expect(database.transact("things", () => undefined)).rejects.toThrow("refused");
  fake.shouldFail = false;
  await Promise.all([1, 2].map((value) => expect(database.transact<number>("things", (_, setResult) => setResult(value))).resolves.toBe(value)));
  expect(fake.opened).toHaveLength(1);
});

test("a database is reopened after it was closed or blocked a newer page", async () => {
  const fake = fakeIndexedDb();
  const database = createDatabase("test", () => undefined);
  await database.transact("things", () => undefined);
  fake.opened[0]!.onclose!();
  await database.transact("things", () => undefined);
  fake.opened[1]!.onversionchange!();
  await database.transact("things", () => undefined);
  expect(fake.opened).toHaveLength(3);
});

test("update adds, changes, skips and removes a record in one transaction", async () => {
  const { records } = fakeIndexedDb();
  const { update } = createDatabase("test", () => undefined);
  type Thing = { id: string; n: number };
  await expect(update<Thing>("things", "a", (thing) => (thing ? undefined : { id: "a", n: 1 }))).resolves.toBe(true);
  await expect(update<Thing>("things", "a", (thing) => thing && { ...thing, n: thing.n + 1 })).resolves.toBe(true);
  expect(records.get("a")).toEqual({ id: "a", n: 2 });
  await expect(update<Thing>("things", "a", () => undefined)).resolves.toBe(false);
  await expect(update<Thing>("things", "a", () => null)).resolves.toBe(true);
  expect(records.size).toBe(0);
});
