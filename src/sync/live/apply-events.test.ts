import fc from "fast-check";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { LiveEvent } from "../../../contract/events.ts";
import type { Project } from "../../../contract/records.ts";
import { createClient } from "../../app/create-client.ts";
import { toHistory, type History } from "../../queries/messages/history.ts";
import { messageKeys, upsertCachedMessage } from "../../queries/messages/cache-updates.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { readerKeys } from "../../queries/messages/read-state.ts";
import { projectQueries } from "../../queries/projects.ts";
import type { LiveContext } from "./event-handlers.ts";
import { applyEvents, applyInOrder } from "./apply-events.ts";

const TOPIC = "project:1";
const KEY = messageKeys.history(1, "latest");
const event = (seq: number, type: string, data: object, topic = TOPIC): LiveEvent => ({
  topic,
  seq,
  type,
  time: "2026-11-17T09:00:00.000Z",
  data: { ...data },
});

const project: Project = {
  id: 1,
  team_id: 1,
  group_id: null,
  name: "Nightdrive EP",
  description: "",
  root_folder_id: null,
  created_at: "2026-11-01T09:00:00.000Z",
  role: "member",
  unread_count: 0,
  last_message_id: 3,
  last_read_message_id: 3,
};

function createContext(messages = [1, 2, 3].map((id) => buildMessage(id))) {
  const client = createClient();
  client.queryClient.setQueryData(KEY, toHistory({ data: messages, has_more_before: false, has_more_after: false }));
  client.queryClient.setQueryData(projectQueries.all().queryKey, [project]);
  return { client, accountId: 1, isViewingChat: () => false };
}
const cachedHistory = (context: LiveContext) => context.client.queryClient.getQueryData<History>(KEY)!;
const cachedProject = (context: LiveContext) => context.client.queryClient.getQueryData(projectQueries.all().queryKey)![0]!;

/** Generates a random chat: the events of the service in order. */
const eventsArbitrary = fc
  .array(fc.record({ kind: fc.constantFrom("new", "new", "edit", "delete"), pick: fc.nat(), author: fc.integer({ min: 1, max: 3 }) }), { maxLength: 40 })
  .map((steps) => {
    const latest = new Map([1, 2, 3].map((id) => [id, buildMessage(id)]));
    return steps.map(({ kind, pick, author }, index) => {
      if (kind === "new") {
        const created = buildMessage(latest.size + 1, { account_id: author });
        latest.set(created.id, created);
        return event(index + 1, "message.created", created);
      }
      const before = [...latest.values()][pick % latest.size]!;
      const after = buildMessage(before.id, {
        account_id: before.account_id,
        revision: before.revision! + 1,
        ...(kind === "edit" ? { body: `edited ${index}`, edited: true } : { deleted: true, body: "" }),
      });
      latest.set(after.id, after);
      return event(index + 1, "message.updated", after);
    });
  });

describe("applyInOrder", () => {
  test("applies each event once and in order, whatever their order in a batch", () => {
    const events = [3, 1, 2, 2, 1].map((seq) => event(seq, "x", {}));
    const result = applyInOrder(new Map([[TOPIC, 0]]), events);
    expect(result.ready.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(result.gaps.size).toBe(0);
  });

  test("stops at a gap and returns its topic, while other topics continue", () => {
    const result = applyInOrder(
      new Map([
        [TOPIC, 4],
        ["account:1", 7],
      ]),
      [event(6, "x", {}), event(8, "x", {}, "account:1")],
    );
    expect(result.ready.map(({ topic }) => topic)).toEqual(["account:1"]);
    expect([...result.gaps]).toEqual([TOPIC]);
    expect(result.cursors.get(TOPIC)).toBe(4);
  });

  test("ignores topics without a cursor", () => {
    expect(applyInOrder(new Map(), [event(1, "x", {})])).toMatchObject({ ready: [] });
  });
});

describe("applyEvents", () => {
  let context: LiveContext;
  beforeEach(() => {
    context = createContext();
  });

  test("reordered, duplicated and missing events end in the same state, as long as gaps are refetched", () => {
    const transport = fc.array(fc.record({ lose: fc.boolean(), double: fc.boolean(), lot: fc.nat() }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(eventsArbitrary, transport, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (events, violations, batches) => {
        const expected = createContext();
        applyEvents(expected, new Map([[TOPIC, 0]]), events);

        const actual = createContext();
        let cursors: ReadonlyMap<string, number> = new Map([[TOPIC, 0]]);
        const inbox = events
          .flatMap((original, index) =>
            (violations[index]!.lose ? [] : violations[index]!.double ? [original, original] : [original]).map((copy, at) => ({
              copy,
              lot: violations[(index + at) % 40]!.lot,
            })),
          )
          .toSorted((a, b) => a.lot - b.lot)
          .map(({ copy }) => copy);
        let batchIndex = 0;
        while (inbox.length > 0) {
          const applied = applyEvents(actual, cursors, inbox.splice(0, batches[batchIndex++ % batches.length]));
          cursors = applied.cursors;
          // The service replays events from the cursor.
          if (applied.gaps.has(TOPIC)) inbox.unshift(...events.filter(({ seq }) => seq > cursors.get(TOPIC)!));
        }
        // A reconnect delivers what was lost at the very end.
        applyEvents(
          actual,
          cursors,
          events.filter(({ seq }) => seq > cursors.get(TOPIC)!),
        );

        expect(cachedHistory(actual)).toEqual(cachedHistory(expected));
        expect(cachedProject(actual)).toEqual(cachedProject(expected));
      }),
    );
  });

  test("the response to the sender and the event are the same change, in either order", () => {
    const ownMessage = buildMessage(4, { client_id: "abcdefgh" });
    const created = event(1, "message.created", ownMessage);
    const expectedContext = createContext();
    upsertCachedMessage(expectedContext.client, ownMessage);
    applyEvents(expectedContext, new Map([[TOPIC, 0]]), [created]);
    applyEvents(context, new Map([[TOPIC, 0]]), [created]);
    upsertCachedMessage(context.client, ownMessage);
    expect(cachedHistory(context)).toEqual(cachedHistory(expectedContext));
    expect(cachedHistory(context).messages.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  test("a message counts as unread once, not for its author and not while the chat is in view", () => {
    const from = (account_id: number, id: number) => [event(id - 3, "message.created", buildMessage(id, { account_id }))];
    let cursors: ReadonlyMap<string, number> = new Map([[TOPIC, 0]]);
    cursors = applyEvents(context, cursors, from(2, 4)).cursors;
    cursors = applyEvents(context, cursors, from(2, 4)).cursors;
    expect(cachedProject(context)).toMatchObject({ unread_count: 1, last_message_id: 4 });
    cursors = applyEvents(context, cursors, from(1, 5)).cursors;
    expect(cachedProject(context).unread_count).toBe(1);
    applyEvents({ ...context, isViewingChat: () => true }, cursors, from(2, 6));
    expect(cachedProject(context)).toMatchObject({ unread_count: 1, last_message_id: 6 });
  });

  test("the read marker sets the count, and moves back when its owner requests it", () => {
    const topic = "account:1";
    context.client.queryClient.setQueryData(projectQueries.all().queryKey, [{ ...project, unread_count: 5, last_read_message_id: 2 }]);
    const readMoved = (seq: number, last_read_message_id: number, unread_count: number) =>
      event(seq, "read.moved", { project_id: 1, last_read_message_id, unread_count }, topic);
    const { cursors } = applyEvents(context, new Map([[topic, 0]]), [readMoved(1, 4, 1)]);
    expect(cachedProject(context)).toMatchObject({ unread_count: 1, last_read_message_id: 4 });
    applyEvents(context, cursors, [readMoved(2, 3, 2)]);
    expect(cachedProject(context)).toMatchObject({ unread_count: 2, last_read_message_id: 3 });
  });

  test("unknown types and invalid data advance the cursor and change nothing", () => {
    const before = cachedHistory(context);
    const applied = applyEvents(context, new Map([[TOPIC, 0]]), [
      event(1, "message.sung", {}),
      event(2, "message.created", { id: "four" }),
      event(3, "toString", {}),
    ]);
    expect(applied.cursors.get(TOPIC)).toBe(3);
    expect(cachedHistory(context)).toBe(before);
  });

  test("every loaded window of the project changes, those of other projects do not", () => {
    const other = messageKeys.history(2, "latest");
    const around = messageKeys.history(1, "around:2");
    context.client.queryClient.setQueryData(other, toHistory({ data: [buildMessage(2, { chat_id: 2 })] }));
    context.client.queryClient.setQueryData(around, toHistory({ data: [buildMessage(2)], has_more_before: true, has_more_after: true }));
    const untouched = context.client.queryClient.getQueryData(other);
    applyEvents(context, new Map([[TOPIC, 0]]), [event(1, "message.updated", buildMessage(2, { revision: 2, body: "new words" }))]);
    expect(context.client.queryClient.getQueryData<History>(around)?.messages[0]?.body).toBe("new words");
    expect(cachedHistory(context).messages[1]?.body).toBe("new words");
    expect(context.client.queryClient.getQueryData(other)).toBe(untouched);
  });
});

test("signals sent before a chat's subscription are not lost", async () => {
  const sockets: FakeSocket[] = [];
  class FakeSocket {
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    constructor() {
      sockets.push(this);
    }
    send() {}
    close() {}
  }
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("BroadcastChannel", vi.fn());
  vi.stubGlobal("location", new URL("http://talkback.test/"));
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
  onTestFinished(() => void vi.unstubAllGlobals());
  const context = createContext();
  const { client } = context;
  client.queryClient.setQueryData(readerKeys.project(1), []);
  const subscriber = client.live;
  onTestFinished(subscriber.follow(TOPIC, { waitForPage: true }));
  subscriber.start();
  onTestFinished(() => subscriber.stop());
  // The code that applies events loads first.
  await vi.waitFor(() => expect(sockets.length).toBe(1));
  sockets[0]!.onopen!();
  const emit = (frame: object) => {
    sockets[0]!.onmessage!({ data: JSON.stringify(frame) });
    return new Promise((resolve) => setTimeout(resolve, 5));
  };
  const emitActivity = (message_id: number) => emit({ signal: { type: "project.activity", data: { project_id: 1, message_id, account_id: 2 } } });

  await emitActivity(4);
  expect(cachedProject(context)).toMatchObject({ unread_count: 1, last_message_id: 4 });
  client.queryState.cursors.recordSnapshot(TOPIC, 41);
  await emit({ subscribed: { topic: TOPIC, seq: 41 } });
  expect(client.queryClient.getQueryState(readerKeys.project(1))?.isInvalidated).toBe(true);
  expect(client.queryClient.getQueryState(KEY)?.isInvalidated).toBe(false);
  // From here on the topic's events report new messages.
  await emitActivity(5);
  expect(cachedProject(context)).toMatchObject({ unread_count: 1, last_message_id: 4 });
});

test.each([
  ["with a live channel", ["chat", "live"]],
  ["without one", ["chat"]],
])("of a service %s, nothing is requested again with a refused token, and all goes on with another one", async (_, features) => {
  // Importing takes real time.
  await import("../../api/documented/responses.ts");
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.stubGlobal("BroadcastChannel", vi.fn());
  vi.stubGlobal("location", new URL("https://page.test/"));
  const sockets: string[] = [];
  vi.stubGlobal(
    "WebSocket",
    class {
      constructor({ search }: URL) {
        sockets.push(search);
      }
      close() {}
    },
  );
  const requests: string[] = [];
  let validToken = "first";
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    const { pathname } = new URL(address);
    const token = new Headers(init.headers).get("authorization");
    if (pathname.endsWith("/service"))
      return Response.json({ object: "service", data: { name: "Other", version: "1", features, limits: {}, setup_required: false } });
    requests.push(`${pathname.split("/").at(-1)} ${token}`);
    if (token !== `Bearer ${validToken}`) return new Response("", { status: 401 });
    if (pathname.endsWith("/ticket")) return Response.json({ object: "live_ticket", data: { ticket: token, expires_at: "2026-11-17T09:00:00.000Z" } });
    return Response.json({ object: "list", data: [], has_more_before: false, has_more_after: false });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const client = createClient({ baseUrl: "https://other.test", token: "first" });
  client.queryClient.setQueryData(KEY, toHistory({ data: [buildMessage(1)], has_more_before: false, has_more_after: false }));
  await client.api.discover();
  onTestFinished(client.live.follow(TOPIC));
  client.live.start();
  onTestFinished(() => client.live.stop());
  await vi.advanceTimersByTimeAsync(30_000);
  expect(client.live.get().phase).toBe("polling");
  expect(new Set(requests.map((request) => request.split(" ").at(-1)))).toEqual(new Set(["first"]));

  validToken = "second";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(client.api.isTokenRefused.get()).toBe(true);
  const refusedCount = requests.length;
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(requests.length).toBe(refusedCount);

  client.api.setToken("second");
  client.live.wake();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(requests.at(-1)).toContain("Bearer second");
  expect(client.api.isTokenRefused.get()).toBe(false);
  if (features.includes("live")) expect(sockets.at(-1)).toContain("second");
});
