import { openDB } from "idb";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import type { Client } from "../client/client.ts";
import { stubIndexedDb } from "../lib/indexed-db.fixture.ts";
import { messageKeys } from "../queries/messages/cache-updates.ts";
import { toHistory } from "../queries/messages/history.ts";
import { buildMessage } from "../queries/messages/message.fixture.ts";
import { scheduleRefetch } from "../queries/query-client.ts";
import { applySignOut, sessionQueries } from "../queries/session.ts";
import { startLiveUpdates } from "../sync/live/live-updates.ts";
import { createUploadStore } from "../sync/uploads/upload-store.ts";
import { buildUpload } from "../sync/uploads/upload.fixture.ts";
import { createClient } from "./create-client.ts";
import { createStoreOfAccount } from "../sync/statuses/use-pending-statuses.ts";

const requests: { url: string; body: string }[] = [];
const sockets = new Set<object>();
const channels = new Set<object>();
/** Listeners on the page, by type. */
const listeners = new Map<string, Set<unknown>>();
const page = {
  addEventListener: (type: string, listener: unknown) => void listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
  removeEventListener: (type: string, listener: unknown) => void listeners.get(type)?.delete(listener),
};
/** Connections to databases. */
const connections: IDBDatabase[] = [];
const listenerCount = () => [...listeners.values()].reduce((count, ofType) => count + ofType.size, 0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  const factory = stubIndexedDb();
  const open = factory.open.bind(factory);
  vi.spyOn(factory, "open").mockImplementation((...args) => {
    const request = open(...args);
    request.addEventListener("success", () => connections.push(request.result));
    return request;
  });
  // What is stored ends with the test, because other test files run in the same process.
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("window", page);
  vi.stubGlobal("addEventListener", page.addEventListener);
  vi.stubGlobal("removeEventListener", page.removeEventListener);
  vi.stubGlobal("document", { ...page, visibilityState: "visible" });
  vi.stubGlobal("matchMedia", () => ({ matches: false, ...page }));
  vi.stubGlobal("navigator", {});
  vi.stubGlobal(
    "WebSocket",
    class {
      constructor() {
        sockets.add(this);
      }
      close() {
        sockets.delete(this);
      }
    },
  );
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        channels.add(this);
      }
      postMessage() {}
      close() {
        channels.delete(this);
      }
    },
  );
  vi.stubGlobal("fetch", async (url: string | URL, init: RequestInit) => {
    requests.push({ url: String(url), body: String(init.body) });
    const { client_id, body } = JSON.parse(String(init.body ?? "{}")) as { client_id: string; body: string };
    return Response.json(
      { object: "message", data: buildMessage(5, { client_id, body }) },
      { headers: { date: new Date(Date.now() + 86_400_000).toUTCString() } },
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const used of [requests, connections, listeners, sockets, channels])
    if (Array.isArray(used)) used.length = 0;
    else used.clear();
});

/** Creates the client of an account that has a chat open. */
function openClient(baseUrl: string, accountId: number): Client {
  const client = createClient({ baseUrl });
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { account: { id: accountId } } as Session);
  client.queryClient.setQueryData(messageKeys.history(1, "latest"), toHistory({ data: [] }));
  return client;
}
/** Returns the paths of all objects that can be reached from `value`. */
function reachableObjects(value: unknown, path = "client", found = new Map<object, string>()): Map<object, string> {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || found.has(value)) return found;
  found.set(value, path);
  const members = value instanceof Map || value instanceof Set ? [...value.entries()] : Object.entries(value);
  for (const [name, member] of members) reachableObjects(member, `${path}.${String(name)}`, found);
  return found;
}
const bodies = (client: Client) =>
  client.queryClient.getQueryData<ReturnType<typeof toHistory>>(messageKeys.history(1, "latest"))?.messages.map(({ body }) => body);

test("two clients share no part, and what is sent in one never appears in the other", async () => {
  const [first, second] = [openClient("https://one.test", 1), openClient("https://two.test", 2)];
  const objectsOfSecond = reachableObjects(second);
  expect([...reachableObjects(first)].filter(([object]) => objectsOfSecond.has(object))).toEqual([]);
  void first.outbox.switchAccount(1);
  void second.outbox.switchAccount(2);
  first.outbox.add({ projectId: 1, accountId: 1, body: "only here", quote: null, uploads: [] });
  await vi.waitFor(() => expect(bodies(first)).toEqual(["only here"]));
  expect(requests.map(({ url }) => new URL(url).origin)).toEqual(["https://one.test"]);
  expect([bodies(second), second.outbox.entries()]).toEqual([[], []]);

  first.presence.setPresent(1, [7]);
  first.drafts.messages.change(1, 1, { text: "draft" });
  first.undoableDeletions.record(1, 5);
  expect([second.presence.present(1), second.drafts.messages.get(2, 1).text, second.undoableDeletions.forAccount(2).get().size]).toEqual([[], "", 0]);
  // Each follows the clock of its own service.
  expect([first.clock.now() - Date.now(), second.clock.now() - Date.now()]).toEqual([86_400_000, 0].map((ms) => expect.closeTo(ms, -4)));
  first.dispose();
  expect(second.queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id).toBe(2);
  second.dispose();
});

test("a sign-out stops the player, so that the next account does not hear it", () => {
  const client = openClient("https://one.test", 1);
  onTestFinished(() => client.dispose());
  const stop = vi.fn();
  vi.spyOn(client.audio, "find").mockReturnValue({ player: { stop } } as never);
  applySignOut(client);
  expect(stop).toHaveBeenCalledOnce();
});

test("a disposed client has no timers, sockets, channels, listeners, leases or database connections, and sends nothing", async () => {
  const uploadStore = createUploadStore("talkback.uploads:https://one.test/");
  await uploadStore.save(buildUpload({ url: "/api/v2/uploads/5", isCanceled: true }));
  uploadStore.close();
  const client = openClient("https://one.test", 1);
  const stopLiveUpdates = startLiveUpdates(client, { accountId: 1, organisationId: 1 });
  client.presence.startTyping(1, 7);
  client.drafts.messages.change(1, 1, { text: "draft" });
  client.undoableDeletions.record(1, 5);
  scheduleRefetch(client, ["files"], 1_000);
  const status = { id: 4, title: "Approved", color: 1, position: 1 };
  client.statusChanges.forAccount(1, createStoreOfAccount(client)).add(1, [{ id: 7, name: "mix.wav", before: null }], status);
  client.outbox.add({ projectId: 1, accountId: 1, body: "waits for its upload", quote: null, uploads: ["elsewhere"] });
  await client.uploads.switchAccount(1);
  // The service does not delete the canceled upload.
  await vi.waitFor(() => expect(requests.map(({ url }) => url)).toEqual(["https://one.test/api/v2/uploads/5/result"]));
  await vi.advanceTimersByTimeAsync(10);
  // The socket opens once the code that applies events has loaded.
  await vi.waitFor(() => expect([sockets.size, channels.size]).toEqual([1, 1]));
  expect(vi.getTimerCount()).toBeGreaterThan(4);
  expect(listenerCount()).toBeGreaterThan(4);

  stopLiveUpdates();
  client.dispose();
  // A wait for storage that is under way ends without effect.
  await vi.advanceTimersByTimeAsync(5_000);
  const leases = await openDB("talkback.outbox");
  await vi.waitFor(async () => expect(await leases.getAllKeys("leases")).toEqual([]));
  leases.close();
  // An upgrade asks every connection that is still open to close.
  const onOpen = vi.fn();
  for (const connection of connections) connection.addEventListener("versionchange", onOpen);
  for (const name of ["talkback.outbox", "talkback.uploads:https://one.test/"]) (await openDB(name, 9)).close();
  expect(onOpen).not.toHaveBeenCalled();
  const sentCount = requests.length;
  expect({ sockets: sockets.size, channels: channels.size, listeners: listenerCount(), timers: vi.getTimerCount() }).toEqual({
    sockets: 0,
    channels: 0,
    listeners: 0,
    timers: 0,
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests.length).toBe(sentCount);
});
