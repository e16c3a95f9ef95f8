import { expect, test, vi } from "vitest";
import { getPersisted, setPersisted } from "../lib/local-storage.ts";
import { createDeviceRecords, forgetRecents, withoutSecrets } from "./device-records.ts";

const named = (service: string) => (name: string) => `${name}:${service}`;

test("chats and files are remembered once each, newest first, with the last known name, for one service", () => {
  const records = createDeviceRecords(named("a"));
  records.recordRecent({ kind: "file", id: 7, name: "mix.wav" });
  records.recordRecent({ kind: "chat", id: 7, name: null });
  records.recordRecent({ kind: "file", id: 7, name: null });
  expect(createDeviceRecords(named("a")).recents.get()).toEqual([
    { kind: "file", id: 7, name: "mix.wav" },
    { kind: "chat", id: 7, name: null },
  ]);
  expect(createDeviceRecords(named("b")).recents.get()).toEqual([]);
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
  const records = createDeviceRecords(named("tab"), true);
  records.recordRecent({ kind: "file", id: 7, name: "mix.wav" });
  records.recordEndpoint({ url: "https://tools.example", eventTypes: [], createdAt: 1, data: {} });
  expect(getPersisted("recents:tab")).toBeNull();
  const reloaded = createDeviceRecords(named("tab"), true);
  expect([reloaded.recents.get().length, reloaded.endpoints.get().length]).toEqual([1, 1]);
  forgetRecents(named("tab"), false);
  expect(createDeviceRecords(named("tab"), true).recents.get()).toHaveLength(1);
  forgetRecents(named("tab"), true);
  expect(stored.size).toBe(0);
  vi.unstubAllGlobals();
});

test("who disconnects from a service that is kept on this device leaves nothing of what was opened, but the created endpoints", () => {
  for (const service of ["left", "other"]) createDeviceRecords(named(service)).recordRecent({ kind: "file", id: 7, name: "unreleased mix.wav" });
  createDeviceRecords(named("left")).recordEndpoint({ url: "https://tools.example", eventTypes: [], createdAt: 1, data: {} });
  forgetRecents(named("left"), false);
  expect(getPersisted("recents:left")).toBeNull();
  expect(createDeviceRecords(named("left")).endpoints.get()).toHaveLength(1);
  expect(createDeviceRecords(named("other")).recents.get()).toHaveLength(1);
});

test("stored values of another shape are ignored", () => {
  for (const text of ["", "{", "null", "7", '[{"kind":"folder","id":1,"name":null},{"kind":"file","id":"1","name":null},3]']) {
    setPersisted("recents:c", text);
    expect(createDeviceRecords(named("c")).recents.get()).toEqual([]);
  }
});

test("a created endpoint is stored without its secrets, whatever the service named them", () => {
  const records = createDeviceRecords(named("d"));
  const data = { id: 5, secret: "one", nested: [{ signing_key: "two", Api_Key: "three", keep: 1 }, "whsec_four"], note: "whsec_five", Password: null };
  records.recordEndpoint({ url: "https://tools.example", eventTypes: ["file.uploaded"], createdAt: 1, data });
  const text = getPersisted("created-endpoints:d")!;
  for (const secret of ["one", "two", "three", "four", "five"]) expect(text).not.toContain(`${secret}"`);
  expect(records.endpoints.get()[0]!.data).toEqual({ id: 5, nested: [{ keep: 1 }] });
  records.forgetEndpoint(records.endpoints.get()[0]!);
  expect(getPersisted("created-endpoints:d")).toBeNull();
});

test.each([null, 7, "text", true])("%j is no secret", (value) => expect(withoutSecrets(value)).toEqual(value));
