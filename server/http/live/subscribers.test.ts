/** Tests ephemeral signals: typing, presence, and read markers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { presence, readerMoved, typing } from "../../../contract/events.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as projects from "../../../contract/operations/projects.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createMessage } from "../../testing/fixtures.ts";
import { openSocket, startLiveTestApp, waitUntil, type LiveTestApp, type TestSocket } from "../../testing/live.ts";
import { joinTeam, createApiToken, type Person } from "../../testing/people.ts";

describe.each(ENGINES)("ephemeral signals on %s", { timeout: 30_000 }, (engine) => {
  let testApp: LiveTestApp;
  let [count, project] = [0, 0];
  let [ana, ben, eve]: [Person, Person, Person] = [] as never;
  const sockets: TestSocket[] = [];
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine, { liveTiming: { heartbeatMs: 25_000, recheckMs: 100 } });
    project = await testApp.newProject();
    const person = (name: string, role: "member" | "guest") => joinTeam(testApp, testApp.owner, name, { team: testApp.team, role, projects: [project] });
    [ana, ben, eve] = [await person("ana", "member"), await person("ben", "guest"), await person("eve", "member")];
  });
  afterAll(() => testApp.close());

  const topic = () => `project:${project}`;
  const open = async (caller: Pick<Caller, "headers">, shouldSubscribe = true, server = testApp.app.server) => {
    const socket = await openSocket(server, caller);
    sockets.push(socket);
    if (shouldSubscribe) await socket.subscribe(topic());
    return socket;
  };
  const closeAll = () => Promise.all(sockets.splice(0).map((socket) => (socket.closed ? Promise.resolve() : socket.close())));
  const signals = (socket: TestSocket, type: string) =>
    socket.frames.flatMap((frame) => ("signal" in frame && (frame.signal as { type: string }).type === type ? [(frame.signal as { data: unknown }).data] : []));
  const presentIds = (socket: TestSocket): number[] | undefined => {
    const latest = signals(socket, "presence").at(-1);
    return latest === undefined ? undefined : presence.parse(latest).account_ids;
  };
  const untilPresent = async (socket: TestSocket, ...people: Person[]) => {
    const expected = JSON.stringify(people.map(({ id }) => id).sort((a, b) => a - b));
    await waitUntil(
      () => JSON.stringify(presentIds(socket)) === expected,
      `presence ${expected}`,
      () => presentIds(socket),
    );
  };
  /** Waits until the service has handled all earlier frames of this socket. */
  const flush = async (socket: TestSocket) => {
    await socket.subscribe(`project:${999_000 + (count += 1)}`);
  };
  const sendTyping = (socket: TestSocket) => socket.send({ typing: { project_id: project } });

  test("typing is sent to others who have the project open, but not to the sender or to people without it", async () => {
    const [writer, writerSecondTab, reader, outsider] = [await open(ana), await open(ana), await open(ben), await open(eve, false)];
    sendTyping(writer);
    await waitUntil(() => signals(reader, "typing").length === 1, "typing");
    expect(typing.parse(signals(reader, "typing")[0])).toEqual({ project_id: project, account_id: ana.id });
    await flush(writer);
    await flush(writerSecondTab);
    await flush(outsider);
    expect([writer, writerSecondTab, outsider].flatMap((socket) => signals(socket, "typing"))).toEqual([]);
    await closeAll();
  });

  test("repeated typing from several tabs is sent once", async () => {
    const [firstTab, secondTab, reader] = [await open(ana), await open(ana), await open(ben)];
    for (let times = 0; times < 20; times += 1) [firstTab, secondTab].forEach(sendTyping);
    await flush(firstTab);
    await flush(secondTab);
    sendTyping(reader);
    await waitUntil(() => signals(firstTab, "typing").length === 1, "ben's typing");
    expect(signals(reader, "typing")).toHaveLength(1);
    await closeAll();
  });

  test("typing requires a subscribed and visible project and write permission", async () => {
    const reader = await open(ben);
    const unsubscribedSocket = await open(eve, false);
    sendTyping(unsubscribedSocket);
    const readOnly = await open(await createApiToken(testApp, ana, ["chat:read"]));
    sendTyping(readOnly);
    const other = await testApp.newProject();
    await openSocket(testApp.app.server, testApp.owner).then(async (owner) => {
      sockets.push(owner);
      await owner.subscribe(`project:${other}`);
      unsubscribedSocket.send({ typing: { project_id: other } });
      await flush(unsubscribedSocket);
      expect(signals(owner, "typing")).toEqual([]);
    });
    await flush(readOnly);
    const writer = await open(ana);
    sendTyping(writer);
    await waitUntil(() => signals(reader, "typing").length === 1, "the one that counts");
    expect(typing.parse(signals(reader, "typing")[0]).account_id).toBe(ana.id);
    await closeAll();
  });

  test("presence is sent at once to a newcomer and to others on each change, and counts several tabs as one person", async () => {
    const first = await open(ana);
    await untilPresent(first, ana);
    const [second, third] = [await open(ben), await open(ben)];
    await untilPresent(second, ana, ben);
    await untilPresent(first, ana, ben);
    const before = signals(first, "presence").length;
    await third.close();
    await flush(first);
    expect(presentIds(first)).toEqual([ana.id, ben.id].sort((a, b) => a - b));
    second.send({ unsubscribe: { topic: topic() } });
    await untilPresent(first, ana);
    expect(signals(first, "presence").length).toBeGreaterThan(before);
    await second.subscribe(topic());
    await untilPresent(first, ana, ben);
    second.socket.terminate();
    await untilPresent(first, ana);
    await closeAll();
  });

  test("a person removed from the project leaves presence at once and receives no more signals", async () => {
    const [remainingSocket, removedSocket] = [await open(ana), await open(eve)];
    await untilPresent(remainingSocket, ana, eve);
    await testApp.call(testApp.owner, projects.removeProjectMember, { params: { project_id: project, account_id: eve.id } });
    await untilPresent(remainingSocket, ana);
    const frameCountBefore = removedSocket.frames.length;
    sendTyping(removedSocket);
    const otherReader = await open(ben);
    sendTyping(otherReader);
    await waitUntil(() => signals(remainingSocket, "typing").length > 0, "ben's typing");
    await flush(removedSocket);
    expect(signals(remainingSocket, "typing").map((signal) => typing.parse(signal).account_id)).toEqual([ben.id]);
    expect(
      removedSocket.frames
        .slice(frameCountBefore)
        .filter((frame) => "signal" in frame && ["typing", "presence"].includes((frame.signal as { type: string }).type)),
    ).toEqual([]);
    await testApp.call(testApp.owner, projects.addProjectMember, { params: { project_id: project }, body: { account_id: eve.id } });
    await closeAll();
  });

  test("moving a read marker forward is sent to others, moving it back is not", async () => {
    const [reader, other] = [await open(ana), await open(ben)];
    const message = await createMessage(testApp, testApp.owner, project, "read me");
    const markRead = () => testApp.call(ana, chat.moveReadMarker, { params: { project_id: project }, body: { message_id: message } });
    await markRead();
    await waitUntil(() => signals(other, "reader.moved").length === 1, "the mark");
    const mark = readerMoved.parse(signals(other, "reader.moved")[0]);
    expect(mark).toEqual({ project_id: project, account_id: ana.id, last_read_message_id: message, moved_at: expect.any(String) });
    const { project_id: _project, ...listed } = mark;
    expect((await testApp.call(ben, messages.listReaders, { params: { project_id: project } })).response.data).toContainEqual(listed);
    await markRead();
    await testApp.call(ana, messages.markUnread, { params: { project_id: project }, body: { message_id: message } });
    await flush(other);
    expect(signals(other, "reader.moved")).toHaveLength(1);
    expect(signals(reader, "reader.moved")).toEqual([]);
    await closeAll();
  });

  test("the activity signal carries mentions to people who do not have the project open", async () => {
    const awaySocket = await open(ben, false);
    await flush(awaySocket);
    const message = await createMessage(testApp, testApp.owner, project, `hello <@${ben.id}>`);
    await waitUntil(() => signals(awaySocket, "project.activity").length > 0, "activity");
    expect(signals(awaySocket, "project.activity").at(-1)).toEqual({
      project_id: project,
      message_id: message,
      account_id: testApp.owner.id,
      mentions: [ben.id],
    });
    await closeAll();
  });

  test.runIf(engine === "postgres")("typing and read markers reach subscribers of another process", async () => {
    const otherProcess = await testApp.startSecondApp();
    try {
      const remoteReader = await open(ben, true, otherProcess.app.server);
      const writer = await open(ana);
      sendTyping(writer);
      await waitUntil(() => signals(remoteReader, "typing").length === 1, "typing from the other process");
      const message = await createMessage(testApp, testApp.owner, project, "over there");
      await testApp.call(ana, chat.moveReadMarker, { params: { project_id: project }, body: { message_id: message } });
      await waitUntil(() => signals(remoteReader, "reader.moved").length === 1, "the mark from the other process");
      await flush(writer);
      expect(signals(writer, "typing")).toEqual([]);
    } finally {
      await closeAll();
      await otherProcess.close();
    }
  });
});
