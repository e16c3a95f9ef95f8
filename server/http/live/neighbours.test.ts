import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import * as projects from "../../../contract/operations/projects.ts";
import { createServices } from "../../services-room.ts";
import { writeMessage } from "../../testing/cast.ts";
import { createClient } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { freshSession, join } from "../../testing/people.ts";
import { type World } from "../../testing/world.ts";
import { openSocket, startLiveWorld, until, upTo, type LiveWorld } from "../../testing/live.ts";

const WRITERS = 2;
const MESSAGES = 100;

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.toReversed()) await one.close();
  opened = [];
});
async function keep<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  opened.push(started);
  return started;
}

/** The same world, spoken to through another process. */
const through = (world: LiveWorld, server: World["app"]["server"]): World => ({ ...world, ...createClient(server) });

describe.runIf(ENGINES.includes("postgres"))("two processes on one PostgreSQL", { timeout: 30_000 }, () => {
  const listeners = sql<{ pid: number }>`select pid from pg_stat_activity where application_name = 'talkback-listen' and datname = current_database()`;

  test("what is written at both reaches the readers of both, each event once and in order", { timeout: 120_000 }, async () => {
    const world = await keep(startLiveWorld("postgres"));
    const other = await keep(world.neighbour());
    const project = await world.newProject();
    const topic = `project:${project}`;
    const [here, there] = [await openSocket(world.app.server, world.owner), await openSocket(other.app.server, world.owner)];
    await Promise.all([here.subscribe(topic, 0), there.subscribe(topic, 0)]);
    await Promise.all(
      [world, through(world, other.app.server)].flatMap((by, process) =>
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let message = 0; message < MESSAGES; message += 1) await writeMessage(by, world.owner, project, `${process}/${writer}/${message}`);
        }),
      ),
    );
    const last = 2 * WRITERS * MESSAGES + 1;
    for (const socket of [here, there]) {
      await until(
        () => socket.seqs(topic).length >= last,
        "all events",
        () => socket.seqs(topic).length,
      );
      await sleep(300);
      expect(socket.seqs(topic)).toEqual(upTo(last));
      const signals = socket.frames.flatMap((frame) => ("signal" in frame ? [frame.signal as { type: string; data: { message_id: number } }] : []));
      const signalled = signals.filter(({ type }) => type === "project.activity").map(({ data }) => data.message_id);
      expect(signalled).toHaveLength(last - 1);
      expect(new Set(signalled).size).toBe(last - 1);
    }
  });

  test("rights that are taken away at one process end at the other", async () => {
    const world = await keep(startLiveWorld("postgres"));
    const other = await keep(world.neighbour());
    const project = await world.newProject();
    const member = await join(world, world.owner, "member", { team: world.team, role: "member", projects: [project] });
    const socket = await openSocket(other.app.server, member);
    await socket.subscribe(`project:${project}`);
    await world.call(world.owner, projects.removeProjectMember, { params: { project_id: project, account_id: member.id } });
    await writeMessage(world, world.owner, project, "no longer for them");
    expect(await socket.next("refused")).toMatchObject({ topic: `project:${project}` });
    expect(socket.seqs(`project:${project}`)).toEqual([]);
    await world.app.services.sessions.endAll({
      accountId: member.id,
      organisationId: world.organisation,
      role: "member",
      scopes: null,
      sessionId: null,
      tokenId: null,
      asked: new Set(),
    });
    expect(await socket.untilClosed()).toBe(4401);
  });

  test("when the connection that listens is cut, it is made again and nothing is lost", { timeout: 120_000 }, async () => {
    const world = await keep(startLiveWorld("postgres"));
    const other = await keep(world.neighbour());
    const project = await world.newProject();
    const topic = `project:${project}`;
    const socket = await openSocket(world.app.server, world.owner);
    await socket.subscribe(topic, 0);
    const abroad = through(world, other.app.server);
    let writing = true;
    let cuts = 0;
    const cutting = (async () => {
      while (writing) {
        const { rows } = await listeners.execute(world.database.read);
        for (const { pid } of rows) await sql`select pg_terminate_backend(${pid}::int)`.execute(world.database.read);
        cuts += rows.length;
        await sleep(120);
      }
    })();
    for (let message = 0; message < 200; message += 1) {
      await writeMessage(abroad, world.owner, project, `message ${message}`);
      await sleep(3);
    }
    writing = false;
    await cutting;
    expect(cuts).toBeGreaterThan(2);
    await until(
      () => socket.seqs(topic).length >= 201,
      "all events",
      () => socket.seqs(topic).length,
      15_000,
    );
    expect(socket.seqs(topic)).toEqual(upTo(201));
    expect(socket.closed).toBeNull();

    // The last message falls into the gap and nothing follows it; whoever only waits for signals hears of it too.
    const waiting = await openSocket(world.app.server, world.owner);
    await waiting.subscribe(`account:${world.owner.id}`);
    for (const { pid } of (await listeners.execute(abroad.database.read)).rows)
      await sql`select pg_terminate_backend(${pid}::int)`.execute(world.database.read);
    const id = await writeMessage(abroad, world.owner, project, "into the gap");
    await until(() => socket.seqs(topic).at(-1) === 202, "the last event");
    await until(
      () => waiting.frames.some((frame) => "signal" in frame && (frame.signal as { data: { message_id: number } }).data.message_id === id),
      "its signal",
    );

    // A revocation while nobody listened is found when it listens again.
    const session = await freshSession(world, world.owner.id, "second");
    const second = await openSocket(world.app.server, session);
    await second.subscribe(topic);
    const { rows } = await listeners.execute(world.database.read);
    for (const { pid } of rows) await sql`select pg_terminate_backend(${pid}::int)`.execute(world.database.read);
    await world.database.write((tx) => tx.deleteFrom("sessions").where("id", "=", session.id).execute());
    expect(await second.untilClosed()).toBe(4401);
  });

  test("the connection that listens ends with the service", async () => {
    const world = await keep(startLiveWorld("postgres"));
    const other = await world.neighbour();
    await (await openSocket(other.app.server, world.owner)).subscribe(`account:${world.owner.id}`);
    expect((await listeners.execute(world.database.read)).rows).toHaveLength(1);
    await other.close();
    await sleep(100);
    expect((await listeners.execute(world.database.read)).rows).toHaveLength(0);
  });
});

describe("another process on one SQLite file", () => {
  test("its messages and revocations are noticed, without hole or double between ours", { timeout: 60_000 }, async () => {
    const world = await keep(startLiveWorld("sqlite"));
    const project = await world.newProject();
    const topic = `project:${project}`;
    const database = world.data.open();
    opened.push(database);
    const line = createServices({ database, clock: world.clock, config: world.config, masterKey: Buffer.alloc(32) });
    const actor = {
      accountId: world.owner.id,
      organisationId: world.organisation,
      role: "owner" as const,
      scopes: null,
      sessionId: null,
      tokenId: null,
      asked: new Set<never>(),
    };
    const socket = await openSocket(world.app.server, world.owner);
    await socket.subscribe(topic, 0);
    const wish = { projectId: project, parentId: null, clientId: null, attachmentIds: [], isAudioMessage: false };
    await Promise.all([
      (async () => {
        for (let message = 0; message < 60; message += 1) {
          await line.chat.send(actor, { ...wish, body: `theirs ${message}` });
          if (message % 20 === 0) await sleep(300);
        }
      })(),
      (async () => {
        for (let message = 0; message < 60; message += 1) {
          await writeMessage(world, world.owner, project, `ours ${message}`);
          if (message % 15 === 0) await sleep(200);
        }
      })(),
    ]);
    await until(
      () => socket.seqs(topic).length >= 121,
      "all events",
      () => socket.seqs(topic).length,
    );
    expect(socket.seqs(topic)).toEqual(upTo(121));

    // A topic in which nothing happens on our side.
    await line.chat.send(actor, { ...wish, body: "last" });
    await until(() => socket.seqs(topic).length === 122, "the last event");
    await line.sessions.endAll(actor);
    expect(await socket.untilClosed()).toBe(4401);
  });
});
