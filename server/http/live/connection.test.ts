import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openSocket, startLiveTestApp, waitUntil, type LiveTestApp } from "../../testing/live.ts";
import { joinTeam } from "../../testing/people.ts";

describe.each(ENGINES)("frames on %s", { timeout: 30_000 }, (engine) => {
  let testApp: LiveTestApp;
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine, { liveTiming: { heartbeatMs: 1_000, overBudgetMs: 20_000 } });
  });
  afterAll(() => testApp.close());
  const open = () => openSocket(testApp.app.server, testApp.owner);

  test("a ping gets a pong, and unknown members are ignored", async () => {
    const socket = await open();
    socket.send({ ping: 7, colour: "red" } as never);
    expect(await socket.nextFrame("pong")).toBe(7);
    socket.send({ subscribe: { topic: `account:${testApp.owner.id}`, mood: "good" }, more: true } as never);
    expect(await socket.nextFrame("subscribed")).toMatchObject({ topic: `account:${testApp.owner.id}` });
    await socket.close();
  });

  test.each([
    ["text that is not JSON", "hello"],
    ["an unknown frame", '{"hello":1}'],
    ["a topic of another kind", '{"subscribe":{"topic":"secrets:1"}}'],
    ["a negative since", '{"subscribe":{"topic":"project:1","since":-1}}'],
    ["a fractional since", '{"subscribe":{"topic":"project:1","since":1.5}}'],
    ["an id out of range", '{"subscribe":{"topic":"project:99999999999999999999"}}'],
    ["a list", "[]"],
    ["null", "null"],
  ])("%s closes the socket with a reason", async (_, text) => {
    const socket = await open();
    socket.socket.send(text);
    expect(await socket.waitUntilClosed()).toBe(1008);
    expect(socket.closed?.reason).toContain("frame");
  });

  test("binary and oversized frames close the socket", async () => {
    const binary = await open();
    binary.socket.send(Buffer.from('{"ping":1}'));
    expect(await binary.waitUntilClosed()).toBe(1008);
    const large = await open();
    large.socket.send(JSON.stringify({ ping: 1, padding: "x".repeat(20_000) }));
    expect(await large.waitUntilClosed()).toBe(1009);
  });

  test("an account that sends too many frames over several sockets loses the sockets that send them; its others stay open, and other accounts do not wait", async () => {
    const flooder = await joinTeam(testApp, testApp.owner, `flooder-${engine}`, { team: testApp.team, role: "member" });
    const openFor = () => openSocket(testApp.app.server, flooder);
    const [quiet, ...loud] = [await openFor(), await openFor(), await openFor(), await openFor()];
    const others = await open();
    for (const socket of loud) for (let index = 0; index < 1_300; index += 1) socket.send({ unsubscribe: { topic: "project:1" } });
    await waitUntil(() => loud.some(({ closed }) => closed?.code === 1008), "closing one of the loud sockets");
    // Would wait for longer than this test if the accounts had one budget.
    expect(await others.subscribe(`account:${testApp.owner.id}`)).toHaveProperty("subscribed");
    quiet?.send({ ping: 1 });
    expect(await quiet?.nextFrame("pong")).toBe(1);
    expect(quiet?.closed).toBeNull();
    // A new socket gets no new budget.
    const again = await openFor();
    for (let index = 0; index < 400; index += 1) again.send({ unsubscribe: { topic: "project:1" } });
    expect(await again.waitUntilClosed()).toBe(1008);
    await Promise.all([quiet?.close(), others.close(), ...loud.map((socket) => socket.close())]);
  });

  test("a socket can subscribe to a limited number of topics", async () => {
    const socket = await open();
    const createdProjects = await testApp.database.write((tx) =>
      tx
        .insertInto("projects")
        .values(
          Array.from({ length: LIMITS.live_topics_per_socket + 1 }, (_, index) => ({
            team_id: testApp.team,
            name: `Song ${index}`,
            description: "",
            created_at: 0,
            created_by: testApp.owner.id,
          })),
        )
        .returning("id")
        .execute(),
    );
    for (const { id } of createdProjects) socket.send({ subscribe: { topic: `project:${id}` } });
    expect(await socket.nextFrame("refused")).toMatchObject({
      topic: `project:${createdProjects.at(-1)?.id}`,
      reason: expect.stringContaining("500") as string,
    });
    expect(socket.frames.filter((frame) => "subscribed" in frame)).toHaveLength(LIMITS.live_topics_per_socket);
    // Unsubscribing frees a slot.
    socket.send({ unsubscribe: { topic: `project:${createdProjects[0]?.id}` } });
    expect(await socket.subscribe(`project:${createdProjects.at(-1)?.id}`)).toHaveProperty("subscribed");
    await socket.close();
  });

  test("a dead socket is dropped and a responding one stays open", async () => {
    const [deadSocket, healthySocket] = [await open(), await open()];
    deadSocket.socket.pause();
    const connections = () => promisify(testApp.app.server.server.getConnections.bind(testApp.app.server.server))();
    const before = await connections();
    while ((await connections()) >= before) await sleep(20);
    deadSocket.socket.resume();
    expect(await deadSocket.waitUntilClosed()).toBe(1006);
    expect(healthySocket.closed).toBeNull();
    await healthySocket.close();
  });
});

test.each(ENGINES)("on %s a stopping service closes its sockets and does not wait for silent ones", { timeout: 30_000 }, async (engine) => {
  const testApp = await startLiveTestApp(engine);
  const [responsiveSocket, silentSocket] = [await openSocket(testApp.app.server, testApp.owner), await openSocket(testApp.app.server, testApp.owner)];
  await responsiveSocket.subscribe(`account:${testApp.owner.id}`);
  silentSocket.socket.pause();
  await testApp.close();
  expect(await responsiveSocket.waitUntilClosed()).toBe(1001);
  silentSocket.socket.resume();
  await silentSocket.waitUntilClosed();
});
