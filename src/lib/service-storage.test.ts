import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createServiceStorage } from "./service-storage.ts";

const createStorage = () => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
};
let device: ReturnType<typeof createStorage>;
let tab: ReturnType<typeof createStorage>;
beforeEach(() => {
  [device, tab] = [createStorage(), createStorage()];
  vi.stubGlobal("localStorage", device);
  vi.stubGlobal("sessionStorage", tab);
  vi.stubGlobal("addEventListener", vi.fn());
});
afterEach(() => vi.unstubAllGlobals());

const storageName = (name: string) => `${name}:https://service.test/`;

test.each([true, false])("the values of a service are stored where its choice is, and forgotten there alone (for a tab: %j)", (isForTab) => {
  const [used, other] = isForTab ? [tab, device] : [device, tab];
  createServiceStorage(storageName, !isForTab).set("recents", "[1]");
  const storage = createServiceStorage(storageName, isForTab);
  expect(storage.get("recents")).toBeNull();
  for (const name of ["features", "signed-in", "last-project", "recents", "bar-one.7"] as const) storage.set(name, name);
  expect(createServiceStorage(storageName, isForTab).get("last-project")).toBe("last-project");
  expect([used.values.size, other.values.size]).toEqual([5, 1]);
  storage.forget();
  expect([...used.values.keys()]).toEqual(["talkback.bar-one.7:https://service.test/"]);
  expect(other.values.size).toBe(1);
});

test("changes by other tabs are reported for values on the device only", () => {
  const listener = vi.fn();
  createServiceStorage(storageName, true).onChange("recents", listener);
  expect(addEventListener).not.toHaveBeenCalled();
  createServiceStorage(storageName).onChange("recents", listener);
  const [, emit] = vi.mocked(addEventListener).mock.calls[0] as unknown as [string, (event: { key: string }) => void];
  emit({ key: "talkback.recents:https://another.test/" });
  emit({ key: "talkback.features:https://service.test/" });
  expect(listener).not.toHaveBeenCalled();
  emit({ key: "talkback.recents:https://service.test/" });
  expect(listener).toHaveBeenCalledTimes(1);
});
