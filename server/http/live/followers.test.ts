/** What is said in passing: typing, presence, and how far others have read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { presence, readerMoved, typing } from "../../../contract/events.ts";
import { writeMessage } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openSocket, startLiveWorld, until, type LiveWorld, type TestSocket } from "../../testing/live.ts";
import { join, tokenOf, type Person } from "../../testing/people.ts";

describe.each(ENGINES)("what is said in passing on %s", { timeout: 30_000 }, (engine) => {
  let world: LiveWorld;
  let [count, project] = [0, 0];
  let [ana, ben, eve]: [Person, Person, Person] = [] as never;
  const sockets: TestSocket[] = [];
  beforeAll(async () => {
    world = await startLiveWorld(engine, { liveTiming: { heartbeatMs: 25_000, recheckMs: 100 } });
    project = await world.newProject();
    const person = (name: string, role: "member" | "guest") => join(world, world.owner, name, { team: world.team, role, projects: [project] });
    [ana, ben, eve] = [await person("ana", "member"), await person("ben", "guest"), await person("eve", "member")];
  });
  afterAll(() => world.close());

  const topic = () => `project:${project}`;
  const open = async (caller: Pick<Caller, "headers">, follow = true, server = world.app.server) => {
    const socket = await openSocket(server, caller);
    sockets.push(socket);
    if (follow) await socket.subscribe(topic());
    return socket;
  };
  const closeAll = () => Promise.all(sockets.splice(0).map((socket) => (socket.closed ? Promise.resolve() : socket.close())));
  const signals = (socket: TestSocket, type: string) =>
    socket.frames.flatMap((frame) => ("signal" in frame && (frame.signal as { type: string }).type === type ? [(frame.signal as { data: unknown }).data] : []));
  const here = (socket: TestSocket): number[] | undefined => {
    const told = signals(socket, "presence").at(-1);
    return told === undefined ? undefined : presence.parse(told).account_ids;
  };
  const untilHere = async (socket: TestSocket, ...people: Person[]) => {
    const wanted = JSON.stringify(people.map(({ id }) => id).sort((a, b) => a - b));
    await until(
      () => JSON.stringify(here(socket)) === wanted,
      `presence ${wanted}`,
      () => here(socket),
    );
  };
  /** Everything that was asked of the service before has been answered. */
  const settle = async (socket: TestSocket) => {
    await socket.subscribe(`project:${999_000 + (count += 1)}`);
  };
  const type = (socket: TestSocket) => socket.send({ typing: { project_id: project } });

  test("somebody's typing is told to the others who have the project open, not to themselves, not to who does not", async () => {
    const [writing, own, reading, elsewhere] = [await open(ana), await open(ana), await open(ben), await open(eve, false)];
    type(writing);
    await until(() => signals(reading, "typing").length === 1, "typing");
    expect(typing.parse(signals(reading, "typing")[0])).toEqual({ project_id: project, account_id: ana.id });
    await settle(writing);
    await settle(own);
    await settle(elsewhere);
    expect([writing, own, elsewhere].flatMap((socket) => signals(socket, "typing"))).toEqual([]);
    await closeAll();
  });

  test("a flood of it from many pages is told once", async () => {
    const [one, two, reading] = [await open(ana), await open(ana), await open(ben)];
    for (let times = 0; times < 20; times += 1) [one, two].forEach(type);
    await settle(one);
    await settle(two);
    type(reading);
    await until(() => signals(one, "typing").length === 1, "ben's typing");
    expect(signals(reading, "typing")).toHaveLength(1);
    await closeAll();
  });

  test("it needs the project open here, the right to write, and a project that one sees", async () => {
    const reading = await open(ben);
    const closed = await open(eve, false);
    type(closed);
    const readOnly = await open(await tokenOf(world, ana, ["chat:read"]));
    type(readOnly);
    const other = await world.newProject();
    await openSocket(world.app.server, world.owner).then(async (owner) => {
      sockets.push(owner);
      await owner.subscribe(`project:${other}`);
      closed.send({ typing: { project_id: other } });
      await settle(closed);
      expect(signals(owner, "typing")).toEqual([]);
    });
    await settle(readOnly);
    const writing = await open(ana);
    type(writing);
    await until(() => signals(reading, "typing").length === 1, "the one that counts");
    expect(typing.parse(signals(reading, "typing")[0]).account_id).toBe(ana.id);
    await closeAll();
  });

  test("presence: told at once to who comes, to the others at each change; many pages are one person", async () => {
    const first = await open(ana);
    await untilHere(first, ana);
    const [second, third] = [await open(ben), await open(ben)];
    await untilHere(second, ana, ben);
    await untilHere(first, ana, ben);
    const before = signals(first, "presence").length;
    await third.close();
    await settle(first);
    expect(here(first)).toEqual([ana.id, ben.id].sort((a, b) => a - b));
    second.send({ unsubscribe: { topic: topic() } });
    await untilHere(first, ana);
    expect(signals(first, "presence").length).toBeGreaterThan(before);
    await second.subscribe(topic());
    await untilHere(first, ana, ben);
    second.socket.terminate();
    await untilHere(first, ana);
    await closeAll();
  });

  test("whose rights end is gone at once, and hears nothing more", async () => {
    const [staying, leaving] = [await open(ana), await open(eve)];
    await untilHere(staying, ana, eve);
    await world.call(world.owner, projects.removeProjectMember, { params: { project_id: project, account_id: eve.id } });
    await untilHere(staying, ana);
    const heard = leaving.frames.length;
    type(leaving);
    const watching = await open(ben);
    type(watching);
    await until(() => signals(staying, "typing").length > 0, "ben's typing");
    await settle(leaving);
    expect(signals(staying, "typing").map((told) => typing.parse(told).account_id)).toEqual([ben.id]);
    expect(
      leaving.frames.slice(heard).filter((frame) => "signal" in frame && ["typing", "presence"].includes((frame.signal as { type: string }).type)),
    ).toEqual([]);
    await world.call(world.owner, projects.addProjectMember, { params: { project_id: project }, body: { account_id: eve.id } });
    await closeAll();
  });

  test("reading on is told to the others, going back is not", async () => {
    const [reading, other] = [await open(ana), await open(ben)];
    const message = await writeMessage(world, world.owner, project, "read me");
    const read = () => world.call(ana, chat.moveReadMarker, { params: { project_id: project }, body: { message_id: message } });
    await read();
    await until(() => signals(other, "reader.moved").length === 1, "the mark");
    const mark = readerMoved.parse(signals(other, "reader.moved")[0]);
    expect(mark).toEqual({ project_id: project, account_id: ana.id, last_read_message_id: message, moved_at: expect.any(String) });
    const { project_id: _project, ...listed } = mark;
    expect((await world.call(ben, messages.listReaders, { params: { project_id: project } })).answer.data).toContainEqual(listed);
    await read();
    await world.call(ana, messages.markUnread, { params: { project_id: project }, body: { message_id: message } });
    await settle(other);
    expect(signals(other, "reader.moved")).toHaveLength(1);
    expect(signals(reading, "reader.moved")).toEqual([]);
    await closeAll();
  });

  test("a mention is told with the activity to who does not have the project open", async () => {
    const away = await open(ben, false);
    await settle(away);
    const message = await writeMessage(world, world.owner, project, `hello <@${ben.id}>`);
    await until(() => signals(away, "project.activity").length > 0, "activity");
    expect(signals(away, "project.activity").at(-1)).toEqual({ project_id: project, message_id: message, account_id: world.owner.id, mentions: [ben.id] });
    await closeAll();
  });

  test.runIf(engine === "postgres")("typing and read marks cross from one process to another", async () => {
    const neighbour = await world.neighbour();
    try {
      const there = await open(ben, true, neighbour.app.server);
      const writing = await open(ana);
      type(writing);
      await until(() => signals(there, "typing").length === 1, "typing from the other process");
      const message = await writeMessage(world, world.owner, project, "over there");
      await world.call(ana, chat.moveReadMarker, { params: { project_id: project }, body: { message_id: message } });
      await until(() => signals(there, "reader.moved").length === 1, "the mark from the other process");
      await settle(writing);
      expect(signals(writing, "typing")).toEqual([]);
    } finally {
      await closeAll();
      await neighbour.close();
    }
  });
});
