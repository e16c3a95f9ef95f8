import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import type { LiveEvent } from "../../../contract/events.ts";
import { createEventLog } from "../../events/log.ts";
import { writeMessage } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { faultRounds } from "../../testing/fault-rounds.ts";
import { foundOther, freshSession } from "../../testing/people.ts";
import { openSocket, startLiveWorld, until, upTo, type LiveWorld, type TestSocket } from "../../testing/live.ts";

const WRITERS = 4;
/** Of each writer: 40 in `npm test`, 80 in `npm run faults`. */
const MESSAGES = 4 * faultRounds(10);

describe.each(ENGINES)("subscriptions on %s", { timeout: 30_000 }, (engine) => {
  let world: LiveWorld;
  beforeAll(async () => {
    world = await startLiveWorld(engine);
  });
  afterAll(() => world.close());

  const open = () => openSocket(world.app.server, world.owner);
  const write = (project: number, body: string) => writeMessage(world, world.owner, project, body);
  /** Puts events into the log without the work of writing messages. */
  async function fillLog(topic: string, count: number): Promise<void> {
    const events = createEventLog(world.database, world.clock);
    await world.database.write(async (tx) => {
      for (let made = 0; made < count; made += 1) await events.append(tx, topic, "sessions.changed", {});
    });
  }

  test("without `since` it starts now, and each event says what the answer said", async () => {
    const project = await world.newProject();
    const topic = `project:${project}`;
    await write(project, "before");
    const socket = await open();
    // The project's creator was added to it (1), then a message (2).
    expect(await socket.subscribe(topic)).toEqual({ subscribed: { topic, seq: 2 } });
    const id = await write(project, "after");
    await until(() => socket.events(topic).length > 0, "the event");
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

  test("with `since` the events after it come first, then what happens", async () => {
    const project = await world.newProject();
    const topic = `project:${project}`;
    for (const body of ["a", "b", "c"]) await write(project, body);
    const socket = await open();
    expect(await socket.subscribe(topic, 2)).toEqual({ subscribed: { topic, seq: 4 } });
    await write(project, "d");
    await until(() => socket.seqs(topic).length === 3, "three events");
    expect(socket.seqs(topic)).toEqual([3, 4, 5]);
    // Asking again from an earlier place brings them again, in order.
    expect(await socket.subscribe(topic, 0)).toEqual({ subscribed: { topic, seq: 5 } });
    await until(() => socket.seqs(topic).length === 8, "all events");
    expect(socket.seqs(topic).slice(3)).toEqual(upTo(5));
    await socket.close();
  });

  test("after `unsubscribe` nothing comes any more", async () => {
    const project = await world.newProject();
    const topic = `project:${project}`;
    const socket = await open();
    await socket.subscribe(topic);
    socket.send({ unsubscribe: { topic } });
    await socket.subscribe(`account:${world.owner.id}`);
    await write(project, "unheard");
    await socket.next("signal");
    expect(socket.seqs(topic)).toEqual([]);
    await socket.close();
  });

  test("too far back, ahead of the log, or pruned: `reset`, and from there on it goes on", async () => {
    const project = await world.newProject();
    const topic = `project:${project}`;
    await fillLog(topic, LIMITS.live_catch_up_events + 1);
    const head = LIMITS.live_catch_up_events + 2;
    const socket = await open();
    expect(await socket.subscribe(topic, 1)).toEqual({ reset: { topic, seq: head } });
    expect(await socket.subscribe(topic, head + 1)).toEqual({ reset: { topic, seq: head } });
    expect(await socket.subscribe(topic, 2)).toEqual({ subscribed: { topic, seq: head } });
    await until(() => socket.seqs(topic).length === head - 2, "catching up");
    expect(socket.seqs(topic)).toEqual(upTo(head, 2));

    await world.database.write((tx) =>
      tx
        .deleteFrom("events")
        .where("topic", "=", topic)
        .where("seq", "<=", head - 10)
        .execute(),
    );
    const late = await open();
    expect(await late.subscribe(topic, head - 11)).toEqual({ reset: { topic, seq: head } });
    await write(project, "next");
    await until(() => late.seqs(topic).length === 1, "the next event");
    expect(late.seqs(topic)).toEqual([head + 1]);
    expect(await late.subscribe(topic, head - 10)).toEqual({ subscribed: { topic, seq: head + 1 } });
    await until(() => late.seqs(topic).length === 12, "what is left");
    await Promise.all([socket.close(), late.close()]);
  });

  test("what somebody cannot see is refused, in the same words whether it exists or not", async () => {
    const project = await world.newProject();
    const stranger = await foundOther(world, `stranger on ${engine}`);
    const socket = await openSocket(world.app.server, stranger);
    for (const topic of [`project:${project}`, "project:999999", `organisation:${world.organisation}`, `account:${world.owner.id}`]) {
      const [kind] = topic.split(":");
      expect(await socket.subscribe(topic)).toEqual({ refused: { topic, reason: `There is no such ${kind}, or you cannot see it.` } });
    }
    await write(project, "not for strangers");
    expect(await socket.subscribe(`account:${stranger.id}`)).toHaveProperty("subscribed");
    expect(socket.frames.some((frame) => "event" in frame || "signal" in frame)).toBe(false);
    await socket.close();
  });

  test("under load, while sockets come and go, every reader gets every event once and in order", { timeout: 120_000 }, async () => {
    const project = await world.newProject();
    const topic = `project:${project}`;
    const last = WRITERS * MESSAGES + 1;
    const session = await freshSession(world, world.owner.id, "reader");
    let writing = true;

    const steady = await openSocket(world.app.server, session);
    await steady.subscribe(topic, 0);

    /** Applies what comes in turn, as a client does, and comes back whenever its socket went. */
    async function restless(): Promise<number[]> {
      const applied: number[] = [];
      const take = (socket: TestSocket) => applied.push(...socket.seqs(topic));
      while (writing || (applied.at(-1) ?? 0) < last) {
        const socket = await openSocket(world.app.server, session);
        const since = applied.at(-1) ?? 0;
        await socket.subscribe(topic, since);
        if (writing) await sleep(Math.random() * 60);
        else
          await until(
            () => (socket.seqs(topic).at(-1) ?? 0) === last || since === last,
            "the rest",
            () => socket.seqs(topic).slice(-3),
          );
        // From here on nothing is taken in, whatever still arrives.
        take(socket);
        expect(socket.frames.some((frame) => "reset" in frame || "refused" in frame)).toBe(false);
        if (Math.random() < 0.5) socket.socket.terminate();
        else await socket.close();
      }
      return applied;
    }

    /** Asks again on the same socket, from where it is or from nowhere. */
    async function fickle(): Promise<TestSocket> {
      const socket = await openSocket(world.app.server, session);
      while (writing) {
        const since = socket.seqs(topic).at(-1) ?? 0;
        socket.send({ subscribe: { topic, since } });
        // The second comes before the first is answered; a third would only make a queue.
        await socket.subscribe(topic, since);
        await sleep(Math.random() * 20);
        if (Math.random() < 0.3) socket.send({ unsubscribe: { topic } });
      }
      await socket.subscribe(topic, socket.seqs(topic).at(-1) ?? 0);
      return socket;
    }

    const readers = [restless(), restless(), restless()];
    const asking = fickle();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let message = 0; message < MESSAGES; message += 1) await write(project, `${writer}/${message}`);
      }),
    );
    writing = false;
    for (const applied of await Promise.all(readers)) expect(applied).toEqual(upTo(last));
    await until(
      () => steady.seqs(topic).length >= last,
      "the steady reader's end",
      () => steady.seqs(topic).length,
    );
    expect(steady.seqs(topic)).toEqual(upTo(last));
    const ids = steady.events(topic).flatMap(({ type, data }) => (type === "message.created" ? [Number(data["id"])] : []));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));

    const asked = await asking;
    await until(
      () => asked.seqs(topic).at(-1) === last,
      "the fickle reader's end",
      () => asked.seqs(topic).slice(-3),
    );
    // It asked again from a place that had moved on meanwhile: events may repeat, but each time without a hole.
    let applied = 0;
    for (const seq of asked.seqs(topic)) {
      expect(seq).toBeLessThanOrEqual(applied + 1);
      applied = Math.max(applied, seq);
    }
    expect(applied).toBe(last);
    for (const socket of [steady, asked]) expect(socket.frames.some((frame) => "reset" in frame || "refused" in frame)).toBe(false);
    await Promise.all([steady.close(), asked.close()]);
  });

  test("a socket that reads too slowly is let go, others do not wait for it, and it catches up", { timeout: 120_000 }, async () => {
    const project = await world.newProject();
    const topic = `project:${project}`;
    const [slow, well] = [await open(), await open()];
    await slow.subscribe(topic, 0);
    await well.subscribe(topic, 0);
    slow.socket.pause();
    const before = process.memoryUsage().arrayBuffers;
    // Three bytes each, and no words: what the search makes of them is another matter.
    const body = "—".repeat(9_500);
    // The system's own buffers between two sockets of one machine hold a few megabytes.
    const count = 470;
    for (let sent = 0; sent < count; sent += 1) await write(project, body);
    await until(
      () => well.seqs(topic).length === count + 1,
      "the other reader",
      () => well.seqs(topic).length,
    );
    expect(well.seqs(topic)).toEqual(upTo(count + 1));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * 1024 * 1024);
    slow.socket.resume();
    expect([4408, 1006]).toContain(await slow.untilClosed());
    const received = slow.seqs(topic);
    expect(received).toEqual(upTo(received.length));
    expect(received.length).toBeLessThan(count + 1);

    // Catching up asks for more than a socket may have waiting; it comes in portions.
    const back = await open();
    const since = received.at(-1) ?? 0;
    expect(await back.subscribe(topic, since)).toHaveProperty("subscribed");
    await until(
      () => back.seqs(topic).length === count + 1 - since || back.closed !== null,
      "catching up",
      () => back.seqs(topic).length,
    );
    expect([...received, ...back.seqs(topic)]).toEqual(upTo(count + 1));
    expect(back.closed).toBeNull();
    await Promise.all([well.close(), back.close()]);
  });
});
