import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LiveEvent } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { createEventLog } from "../../events/log.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createMessage } from "../../testing/fixtures.ts";
import { openSocket, startLiveTestApp, waitUntil, seqsUpTo, type LiveTestApp, type TestSocket } from "../../testing/live.ts";
import { createOtherOrganization, createSession } from "../../testing/people.ts";
import { getFaultRounds } from "../../testing/service-process.ts";

const WRITERS = 4;
/** Messages per writer: 40 in `npm test`, 80 in `npm run faults`. */
const MESSAGES = 4 * getFaultRounds(10);

setFlagsFromString("--expose-gc");
/** Leaves only memory that is in use. */
const collectGarbage = runInNewContext("gc") as () => void;

describe.each(ENGINES)("subscriptions on %s", { timeout: 30_000 }, (engine) => {
  let testApp: LiveTestApp;
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine);
  });
  afterAll(() => testApp.close());

  const open = () => openSocket(testApp.app.server, testApp.owner);
  const write = (project: number, body: string) => createMessage(testApp, testApp.owner, project, body);
  /** Appends events to the log without writing messages. */
  async function fillLog(topic: string, count: number, data: Record<string, string> = {}): Promise<void> {
    const events = createEventLog(testApp.database, testApp.clock);
    await testApp.database.write(async (tx) => {
      for (let index = 0; index < count; index += 1) await events.append(tx, topic, "sessions.changed", data);
    });
  }

  test("without `since` only new events follow, with the created record as data", async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    await write(project, "before");
    const socket = await open();
    // Event 1 added the project's creator; event 2 is a message.
    expect(await socket.subscribe(topic)).toEqual({ subscribed: { topic, seq: 2 } });
    const id = await write(project, "after");
    await waitUntil(() => socket.events(topic).length > 0, "the event");
    expect(socket.events(topic)).toEqual([
      {
        topic,
        seq: 3,
        type: "message.created",
        time: expect.stringMatching(/Z$/) as string,
        data: expect.objectContaining({ id, body: "after", chat_id: project, client_id: null, revision: 1 }) as LiveEvent["data"],
      },
    ]);
    await socket.close();
  });

  test("a repeated subscription is confirmed from what is known, or reads the log again; nothing is lost", async () => {
    const topic = `project:${await testApp.newProject()}`;
    await fillLog(topic, 20);
    const socket = await open();
    expect(await socket.subscribe(topic, 0)).toEqual({ subscribed: { topic, seq: 21 } });
    await waitUntil(() => socket.seqs(topic).length === 21, "the catch-up");
    for (const since of [undefined, 21, undefined]) expect(await socket.subscribe(topic, since)).toEqual({ subscribed: { topic, seq: 21 } });
    expect(socket.seqs(topic)).toHaveLength(21);
    // Many repetitions at once, each of which asks for everything.
    for (let count = 0; count < 2; count += 1) socket.send({ subscribe: { topic, since: 0 } });
    await fillLog(topic, 5);
    const seqs = () => socket.seqs(topic);
    await waitUntil(() => seqs().filter((seq) => seq === 1).length === 3 && seqs().at(-1) === 26, "both catch-ups", seqs);
    expect(socket.seqs(topic).slice(-26)).toEqual(seqsUpTo(26));
    await socket.close();
  });

  test("with `since` the events after it come first, then new ones", async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    for (const body of ["a", "b", "c"]) await write(project, body);
    const socket = await open();
    expect(await socket.subscribe(topic, 2)).toEqual({ subscribed: { topic, seq: 4 } });
    await write(project, "d");
    await waitUntil(() => socket.seqs(topic).length === 3, "three events");
    expect(socket.seqs(topic)).toEqual([3, 4, 5]);
    // Subscribing again from an earlier position replays the events in order.
    expect(await socket.subscribe(topic, 0)).toEqual({ subscribed: { topic, seq: 5 } });
    await waitUntil(() => socket.seqs(topic).length === 8, "all events");
    expect(socket.seqs(topic).slice(3)).toEqual(seqsUpTo(5));
    await socket.close();
  });

  test("the log is read in batches of about 1 MB, and nothing is missing between them", async () => {
    const topic = `project:${await testApp.newProject()}`;
    // Three bytes for each character.
    await fillLog(topic, 45, { padding: "—".repeat(40_000) });
    const { after } = createEventLog(testApp.database, testApp.clock);
    const batch = await after(testApp.database.read, topic, 1, 100);
    expect(batch.map(({ seq }) => seq)).toEqual(seqsUpTo(10, 1));
    expect((await after(testApp.database.read, topic, 41, 100)).map(({ seq }) => seq)).toEqual(seqsUpTo(46, 41));
    expect(await after(testApp.database.read, topic, 46, 100)).toEqual([]);
    const socket = await open();
    expect(await socket.subscribe(topic, 0)).toEqual({ subscribed: { topic, seq: 46 } });
    await waitUntil(() => socket.seqs(topic).length === 46, "the catch-up");
    await fillLog(topic, 1);
    await waitUntil(() => socket.seqs(topic).length === 47, "the next event");
    expect(socket.seqs(topic)).toEqual(seqsUpTo(47));
    await socket.close();
  });

  test("no events follow after `unsubscribe`", async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const socket = await open();
    await socket.subscribe(topic);
    socket.send({ unsubscribe: { topic } });
    await socket.subscribe(`account:${testApp.owner.id}`);
    await write(project, "unheard");
    await socket.nextFrame("signal");
    expect(socket.seqs(topic)).toEqual([]);
    await socket.close();
  });

  test("a `since` that is too old, ahead of the log or pruned is answered with `reset`, and new events follow", async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    await fillLog(topic, LIMITS.live_catch_up_events + 1);
    const head = LIMITS.live_catch_up_events + 2;
    const socket = await open();
    expect(await socket.subscribe(topic, 1)).toEqual({ reset: { topic, seq: head } });
    expect(await socket.subscribe(topic, head + 1)).toEqual({ reset: { topic, seq: head } });
    expect(await socket.subscribe(topic, 2)).toEqual({ subscribed: { topic, seq: head } });
    await waitUntil(() => socket.seqs(topic).length === head - 2, "catching up");
    expect(socket.seqs(topic)).toEqual(seqsUpTo(head, 2));

    await testApp.database.write((tx) =>
      tx
        .deleteFrom("events")
        .where("topic", "=", topic)
        .where("seq", "<=", head - 10)
        .execute(),
    );
    const lateSocket = await open();
    expect(await lateSocket.subscribe(topic, head - 11)).toEqual({ reset: { topic, seq: head } });
    await write(project, "next");
    await waitUntil(() => lateSocket.seqs(topic).length === 1, "the next event");
    expect(lateSocket.seqs(topic)).toEqual([head + 1]);
    expect(await lateSocket.subscribe(topic, head - 10)).toEqual({ subscribed: { topic, seq: head + 1 } });
    await waitUntil(() => lateSocket.seqs(topic).length === 12, "what is left");
    await Promise.all([socket.close(), lateSocket.close()]);
  });

  test("an invisible topic is refused with the same reason as one that does not exist", async () => {
    const project = await testApp.newProject();
    const stranger = await createOtherOrganization(testApp, `stranger on ${engine}`);
    const socket = await openSocket(testApp.app.server, stranger);
    for (const topic of [`project:${project}`, "project:999999", `organisation:${testApp.organization}`, `account:${testApp.owner.id}`]) {
      const [kind] = topic.split(":");
      expect(await socket.subscribe(topic)).toEqual({ refused: { topic, reason: `No such ${kind}, or you don't have access.` } });
    }
    await write(project, "not for strangers");
    expect(await socket.subscribe(`account:${stranger.id}`)).toHaveProperty("subscribed");
    expect(socket.frames.some((frame) => "event" in frame || "signal" in frame)).toBe(false);
    await socket.close();
  });

  test("under load every reader gets every event once and in order while sockets reconnect", { timeout: 120_000 }, async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const last = WRITERS * MESSAGES + 1;
    const session = await createSession(testApp, testApp.owner.id, "reader");
    let isWriting = true;

    const steadySocket = await openSocket(testApp.app.server, session);
    await steadySocket.subscribe(topic, 0);

    /** Applies events in order like a client, and reconnects whenever its socket closes. */
    async function readWithReconnects(): Promise<number[]> {
      const applied: number[] = [];
      const collect = (socket: TestSocket) => applied.push(...socket.seqs(topic));
      while (isWriting || (applied.at(-1) ?? 0) < last) {
        const socket = await openSocket(testApp.app.server, session);
        const since = applied.at(-1) ?? 0;
        await socket.subscribe(topic, since);
        if (isWriting) await sleep(Math.random() * 60);
        else
          await waitUntil(
            () => (socket.seqs(topic).at(-1) ?? 0) === last || since === last,
            "the rest",
            () => socket.seqs(topic).slice(-3),
          );
        // Events that arrive after this point are ignored.
        collect(socket);
        expect(socket.frames.some((frame) => "reset" in frame || "refused" in frame)).toBe(false);
        if (Math.random() < 0.5) socket.socket.terminate();
        else await socket.close();
      }
      return applied;
    }

    /** Resubscribes on the same socket, sometimes after unsubscribing. */
    async function readWithResubscribes(): Promise<TestSocket> {
      const socket = await openSocket(testApp.app.server, session);
      while (isWriting) {
        const since = socket.seqs(topic).at(-1) ?? 0;
        socket.send({ subscribe: { topic, since } });
        // The second subscribe frame is sent before the response to the first; a third would only add to the queue.
        await socket.subscribe(topic, since);
        await sleep(Math.random() * 20);
        if (Math.random() < 0.3) socket.send({ unsubscribe: { topic } });
      }
      await socket.subscribe(topic, socket.seqs(topic).at(-1) ?? 0);
      return socket;
    }

    const readers = [readWithReconnects(), readWithReconnects(), readWithReconnects()];
    const resubscribing = readWithResubscribes();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let message = 0; message < MESSAGES; message += 1) await write(project, `${writer}/${message}`);
      }),
    );
    isWriting = false;
    for (const applied of await Promise.all(readers)) expect(applied).toEqual(seqsUpTo(last));
    await waitUntil(
      () => steadySocket.seqs(topic).length >= last,
      "the steady reader's end",
      () => steadySocket.seqs(topic).length,
    );
    expect(steadySocket.seqs(topic)).toEqual(seqsUpTo(last));
    const ids = steadySocket.events(topic).flatMap(({ type, data }) => (type === "message.created" ? [Number(data["id"])] : []));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));

    const resubscribedSocket = await resubscribing;
    await waitUntil(
      () => resubscribedSocket.seqs(topic).at(-1) === last,
      "the fickle reader's end",
      () => resubscribedSocket.seqs(topic).slice(-3),
    );
    // Its position had already moved on when it resubscribed, so events may repeat, but never with a gap.
    let applied = 0;
    for (const seq of resubscribedSocket.seqs(topic)) {
      expect(seq).toBeLessThanOrEqual(applied + 1);
      applied = Math.max(applied, seq);
    }
    expect(applied).toBe(last);
    for (const socket of [steadySocket, resubscribedSocket]) expect(socket.frames.some((frame) => "reset" in frame || "refused" in frame)).toBe(false);
    await Promise.all([steadySocket.close(), resubscribedSocket.close()]);
  });

  test("a socket that reads too slowly is closed without delaying others, and catches up afterwards", { timeout: 120_000 }, async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const [slowSocket, healthySocket] = [await open(), await open()];
    await slowSocket.subscribe(topic, 0);
    await healthySocket.subscribe(topic, 0);
    slowSocket.socket.pause();
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    // Three bytes per character and no words, since search indexing is not under test.
    const body = "—".repeat(9_500);
    // Enough messages to exceed the kernel buffers between two local sockets, which hold a few megabytes.
    const count = 470;
    for (let index = 0; index < count; index += 1) await write(project, body);
    await waitUntil(
      () => healthySocket.seqs(topic).length === count + 1,
      "the other reader",
      () => healthySocket.seqs(topic).length,
    );
    expect(healthySocket.seqs(topic)).toEqual(seqsUpTo(count + 1));
    // V8 frees the buffers of what it has collected in another thread, and what the last turn of the event loop refers to only after it.
    const heldBytes = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers - before;
    };
    await expect.poll(heldBytes, { timeout: 20_000 }).toBeLessThan(60 * 1024 * 1024);
    slowSocket.socket.resume();
    expect([4408, 1006]).toContain(await slowSocket.waitUntilClosed());
    const received = slowSocket.seqs(topic);
    expect(received).toEqual(seqsUpTo(received.length));
    expect(received.length).toBeLessThan(count + 1);

    // Catching up sends more than the buffer limit of a socket, so it proceeds in portions.
    const reconnectedSocket = await open();
    const since = received.at(-1) ?? 0;
    expect(await reconnectedSocket.subscribe(topic, since)).toHaveProperty("subscribed");
    await waitUntil(
      () => reconnectedSocket.seqs(topic).length === count + 1 - since || reconnectedSocket.closed !== null,
      "catching up",
      () => reconnectedSocket.seqs(topic).length,
    );
    expect([...received, ...reconnectedSocket.seqs(topic)]).toEqual(seqsUpTo(count + 1));
    expect(reconnectedSocket.closed).toBeNull();
    await Promise.all([healthySocket.close(), reconnectedSocket.close()]);
  });
});

test.each(ENGINES)(
  "on %s a repeated subscription is confirmed from what is known, or waits until the log may be read again",
  { timeout: 30_000 },
  async (engine) => {
    const testApp = await startLiveTestApp(engine, { liveTiming: { reopenMs: 60_000 } });
    const topic = `project:${await testApp.newProject()}`;
    const [socket, other] = [await openSocket(testApp.app.server, testApp.owner), await openSocket(testApp.app.server, testApp.owner)];
    expect(await socket.subscribe(topic, 0)).toHaveProperty("subscribed");
    await waitUntil(() => socket.seqs(topic).length === 1, "the catch-up");
    for (const since of [undefined, 1]) expect(await socket.subscribe(topic, since)).toEqual({ subscribed: { topic, seq: 1 } });
    socket.send({ subscribe: { topic, since: 0 } });
    socket.send({ ping: 1 });
    expect(await socket.nextFrame("pong")).toBe(1);
    // The reads of an account run in order, so one of the first socket would come before this one.
    expect(await other.subscribe(topic, 0)).toHaveProperty("subscribed");
    await waitUntil(() => other.seqs(topic).length === 1, "the catch-up of another socket");
    expect(socket.seqs(topic)).toEqual([1]);
    await Promise.all([socket.close(), other.close()]);
    await testApp.close();
  },
);
