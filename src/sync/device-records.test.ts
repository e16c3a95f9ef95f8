import { expect, test, vi } from "vitest";
import { getPersisted, setPersisted } from "../lib/local-storage.ts";
import { createServiceStorage } from "../lib/service-storage.ts";
import { createDeviceRecords, withoutSecrets } from "./device-records.ts";

const storageOf = (service: string, isForTab = false) => createServiceStorage((name) => `${name}:${service}`, isForTab);
const recordsOf = (service: string, isForTab = false) => createDeviceRecords(storageOf(service, isForTab), storageOf(service));

test("chats and files are remembered once each, newest first, with the last known name, for one service", () => {
  const records = recordsOf("a");
  records.recordRecent({ kind: "file", id: 7, name: "mix.wav" });
  records.recordRecent({ kind: "chat", id: 7, name: null });
  records.recordRecent({ kind: "file", id: 7, name: null });
  expect(recordsOf("a").recents.get()).toEqual([
    { kind: "file", id: 7, name: "mix.wav" },
    { kind: "chat", id: 7, name: null },
  ]);
  expect(recordsOf("b").recents.get()).toEqual([]);
  records.forgetRecent({ kind: "file", id: 7 });
  expect(records.recents.get()).toEqual([{ kind: "chat", id: 7, name: null }]);
  for (let id = 1; id <= 30; id += 1) records.recordRecent({ kind: "chat", id, name: null });
  expect(records.recents.get().map(({ id }) => id)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19]);
});

test("what is opened in a service that was chosen for this tab only is not stored on the device; its endpoints are", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  const records = recordsOf("tab", true);
  records.recordRecent({ kind: "file", id: 7, name: "mix.wav" });
  records.recordEndpoint({ url: "https://tools.example", eventTypes: [], createdAt: 1, data: {} });
  expect(getPersisted("recents:tab")).toBeNull();
  const reloaded = recordsOf("tab", true);
  expect([reloaded.recents.get().length, reloaded.endpoints.get().length]).toEqual([1, 1]);
  storageOf("tab").forget();
  expect(recordsOf("tab", true).recents.get()).toHaveLength(1);
  storageOf("tab", true).forget();
  expect(stored.size).toBe(0);
  vi.unstubAllGlobals();
});

test("who disconnects from a service that is kept on this device leaves nothing of what was opened, but the created endpoints", () => {
  for (const service of ["left", "other"]) recordsOf(service).recordRecent({ kind: "file", id: 7, name: "unreleased mix.wav" });
  recordsOf("left").recordEndpoint({ url: "https://tools.example", eventTypes: [], createdAt: 1, data: {} });
  storageOf("left").forget();
  expect(getPersisted("recents:left")).toBeNull();
  expect(recordsOf("left").endpoints.get()).toHaveLength(1);
  expect(recordsOf("other").recents.get()).toHaveLength(1);
});

test("stored values of another shape are ignored", () => {
  for (const text of ["", "{", "null", "7", '[{"kind":"folder","id":1,"name":null},{"kind":"file","id":"1","name":null},3]']) {
    setPersisted("recents:c", text);
    expect(recordsOf("c").recents.get()).toEqual([]);
  }
});

test("a created endpoint is stored without its secrets, whatever the service named them", () => {
  const records = recordsOf("d");
  const data = { id: 5, secret: "one", nested: [{ signing_key: "two", Api_Key: "three", keep: 1 }, "whsec_four"], note: "whsec_five", Password: null };
  records.recordEndpoint({ url: "https://tools.example", eventTypes: ["file.uploaded"], createdAt: 1, data });
  const text = getPersisted("created-endpoints:d")!;
  for (const secret of ["one", "two", "three", "four", "five"]) expect(text).not.toContain(`${secret}"`);
  expect(records.endpoints.get()[0]!.data).toEqual({ id: 5, nested: [{ keep: 1 }] });
  records.forgetEndpoint(records.endpoints.get()[0]!);
  expect(getPersisted("created-endpoints:d")).toBeNull();
});

test.each([null, 7, "text", true])("%j is no secret", (value) => expect(withoutSecrets(value)).toEqual(value));
