import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openSocket, startLiveWorld, type LiveWorld } from "../../testing/live.ts";

describe.each(ENGINES)("frames on %s", { timeout: 30_000 }, (engine) => {
  let world: LiveWorld;
  beforeAll(async () => {
    world = await startLiveWorld(engine, { liveTiming: { heartbeatMs: 1_000, recheckMs: 60_000 } });
  });
  afterAll(() => world.close());
  const open = () => openSocket(world.app.server, world.owner);

  test("a ping is answered, and members that nobody knows are ignored", async () => {
    const socket = await open();
    socket.send({ ping: 7, colour: "red" } as never);
    expect(await socket.next("pong")).toBe(7);
    socket.send({ subscribe: { topic: `account:${world.owner.id}`, mood: "good" }, more: true } as never);
    expect(await socket.next("subscribed")).toMatchObject({ topic: `account:${world.owner.id}` });
    await socket.close();
  });

  test.each([
    ["no JSON", "hello"],
    ["nothing known", '{"hello":1}'],
    ["a topic of another kind", '{"subscribe":{"topic":"secrets:1"}}'],
    ["a negative since", '{"subscribe":{"topic":"project:1","since":-1}}'],
    ["a since that is no integer", '{"subscribe":{"topic":"project:1","since":1.5}}'],
    ["an id beyond all ids", '{"subscribe":{"topic":"project:99999999999999999999"}}'],
    ["a list", "[]"],
    ["null", "null"],
  ])("%s closes the socket with a reason", async (_, text) => {
    const socket = await open();
    socket.socket.send(text);
    expect(await socket.untilClosed()).toBe(1008);
    expect(socket.closed?.reason).toContain("frame");
  });

  test("binary and oversized frames close the socket", async () => {
    const binary = await open();
    binary.socket.send(Buffer.from('{"ping":1}'));
    expect(await binary.untilClosed()).toBe(1008);
    const large = await open();
    large.socket.send(JSON.stringify({ ping: 1, padding: "x".repeat(20_000) }));
    expect(await large.untilClosed()).toBe(1009);
  });

  test("a client that never stops asking is let go", async () => {
    const socket = await open();
    for (let asked = 0; asked < 2_000; asked += 1) socket.send({ unsubscribe: { topic: "project:1" } });
    expect(await socket.untilClosed()).toBe(1008);
  });

  test("a socket follows a limited number of topics", async () => {
    const socket = await open();
    const made = await world.database.write((tx) =>
      tx
        .insertInto("projects")
        .values(
          Array.from({ length: LIMITS.live_topics_per_socket + 1 }, (_, at) => ({
            team_id: world.team,
            name: `Song ${at}`,
            description: "",
            created_at: 0,
            created_by: world.owner.id,
          })),
        )
        .returning("id")
        .execute(),
    );
    for (const { id } of made) socket.send({ subscribe: { topic: `project:${id}` } });
    expect(await socket.next("refused")).toMatchObject({ topic: `project:${made.at(-1)?.id}`, reason: expect.stringContaining("500") as string });
    expect(socket.frames.filter((frame) => "subscribed" in frame)).toHaveLength(LIMITS.live_topics_per_socket);
    // Giving one up makes room.
    socket.send({ unsubscribe: { topic: `project:${made[0]?.id}` } });
    expect(await socket.subscribe(`project:${made.at(-1)?.id}`)).toHaveProperty("subscribed");
    await socket.close();
  });

  test("a socket that is dead is dropped, one that answers stays", async () => {
    const [dead, well] = [await open(), await open()];
    dead.socket.pause();
    const connections = () => promisify(world.app.server.server.getConnections.bind(world.app.server.server))();
    const before = await connections();
    while ((await connections()) >= before) await sleep(20);
    dead.socket.resume();
    expect(await dead.untilClosed()).toBe(1006);
    expect(well.closed).toBeNull();
    await well.close();
  });
});

test.each(ENGINES)("on %s a service that stops says so and does not wait for silent sockets", { timeout: 30_000 }, async (engine) => {
  const world = await startLiveWorld(engine);
  const [attentive, silent] = [await openSocket(world.app.server, world.owner), await openSocket(world.app.server, world.owner)];
  await attentive.subscribe(`account:${world.owner.id}`);
  silent.socket.pause();
  const started = performance.now();
  await world.close();
  expect(performance.now() - started).toBeLessThan(4_000);
  expect(await attentive.untilClosed()).toBe(1001);
  silent.socket.resume();
  await silent.untilClosed();
});
