import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import type { Client } from "../client/client.ts";
import { messageKeys } from "../queries/messages/cache-updates.ts";
import { toHistory } from "../queries/messages/history.ts";
import { buildMessage } from "../queries/messages/message.fixture.ts";
import { scheduleRefetch } from "../queries/query-client.ts";
import { sessionQueries } from "../queries/session.ts";
import { startLiveUpdates } from "../sync/live/live-updates.ts";
import { createClient } from "./create-client.ts";

const requests: { url: string; body: string }[] = [];
const sockets = new Set<object>();
const channels = new Set<object>();
/** Listeners on the page, by type. */
const listeners = new Map<string, Set<unknown>>();
const page = {
  addEventListener: (type: string, listener: unknown) => void listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
  removeEventListener: (type: string, listener: unknown) => void listeners.get(type)?.delete(listener),
};
const listenerCount = () => [...listeners.values()].reduce((count, ofType) => count + ofType.size, 0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
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
  for (const used of [requests, listeners, sockets, channels])
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
const bodies = (client: Client) =>
  client.queryClient.getQueryData<ReturnType<typeof toHistory>>(messageKeys.history(1, "latest"))?.messages.map(({ body }) => body);

test("two clients share no part, and what is sent in one never appears in the other", async () => {
  const [first, second] = [openClient("https://one.test", 1), openClient("https://two.test", 2)];
  for (const [name, part] of Object.entries(first)) if (typeof part === "object") expect([name, part === second[name as keyof Client]]).toEqual([name, false]);
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

test("a disposed client has no timers, sockets, channels or listeners, and sends nothing", async () => {
  const client = openClient("https://one.test", 1);
  const stopLiveUpdates = startLiveUpdates(client, { accountId: 1, organisationId: 1 });
  client.presence.startTyping(1, 7);
  client.drafts.messages.change(1, 1, { text: "draft" });
  client.undoableDeletions.record(1, 5);
  scheduleRefetch(client, ["files"], 1_000);
  const status = { id: 4, title: "Approved", color: 1, position: 1 };
  client.statusChanges.forAccount(1).add(1, [{ id: 7, name: "mix.wav", before: null }], status);
  client.outbox.add({ projectId: 1, accountId: 1, body: "waits for its upload", quote: null, uploads: ["elsewhere"] });
  await vi.advanceTimersByTimeAsync(10);
  expect([sockets.size, channels.size]).toEqual([1, 1]);
  expect(vi.getTimerCount()).toBeGreaterThan(4);
  expect(listenerCount()).toBeGreaterThan(4);

  stopLiveUpdates();
  client.dispose();
  // A wait for storage that is under way ends without effect.
  await vi.advanceTimersByTimeAsync(5_000);
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
