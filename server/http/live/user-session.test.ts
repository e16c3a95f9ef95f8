import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import { createPlaylist } from "../../../contract/operations/playlists.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as sessions from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { Role } from "../../../contract/records.ts";
import { DAY } from "../../lib/clock.ts";
import { createEventLog } from "../../events/log.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createMessage } from "../../testing/fixtures.ts";
import { openSocket, startLiveTestApp, waitUntil, seqsUpTo, type LiveTestApp, type TestSocket } from "../../testing/live.ts";
import { createSession, joinTeam, createApiToken, type Person } from "../../testing/people.ts";

describe.each(ENGINES)("access of live sockets on %s", { timeout: 30_000 }, (engine) => {
  let testApp: LiveTestApp;
  let count = 0;
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine, { liveTiming: { heartbeatMs: 25_000, recheckMs: 100 } });
  });
  afterAll(() => testApp.close());

  const person = (role: Role, ...projectIds: number[]): Promise<Person> =>
    joinTeam(testApp, testApp.owner, `${role} ${(count += 1)}`, { team: testApp.team, role, projects: projectIds });
  const open = (caller: { headers: Readonly<Record<string, string>> }) => openSocket(testApp.app.server, caller);
  const remove = (project: number, target: Person) =>
    testApp.call(testApp.owner, projects.removeProjectMember, { params: { project_id: project, account_id: target.id } });
  const add = (project: number, target: Person) =>
    testApp.call(testApp.owner, projects.addProjectMember, { params: { project_id: project }, body: { account_id: target.id } });
  const write = (project: number, body = "hello") => createMessage(testApp, testApp.owner, project, body);
  const updateMember = (target: Person, body: { role?: Role; disabled?: boolean }) =>
    testApp.call(testApp.owner, accounts.updateMember, { params: { account_id: target.id }, body });
  /** Signals without presence, which follows every subscription and is tested in subscribers.test.ts. */
  const signals = (socket: TestSocket) =>
    socket.frames
      .flatMap((frame) => ("signal" in frame ? [frame.signal as { type: string; data: Record<string, unknown> }] : []))
      .filter(({ type }) => type !== "presence");
  /** Waits until the service has handled all earlier frames of this socket. */
  const flush = async (socket: TestSocket, project: number) => {
    const ping = (count += 1);
    await socket.subscribe(`project:${project}`);
    socket.send({ ping });
    await waitUntil(() => socket.frames.some((frame) => "pong" in frame && frame.pong === ping), "the pong");
  };

  test("signing out closes this session's sockets and no others", async () => {
    const project = await testApp.newProject();
    const member = await person("member", project);
    const other = await createSession(testApp, member.id, "other");
    const [signedOutSocket, otherSocket] = [await open(member), await open(other)];
    await signedOutSocket.subscribe(`project:${project}`);
    await otherSocket.subscribe(`project:${project}`);
    await testApp.call(member, sessions.signOut);
    expect(await signedOutSocket.waitUntilClosed()).toBe(4401);
    await write(project);
    await waitUntil(() => otherSocket.seqs(`project:${project}`).length === 1, "the message at the other session");
    expect(otherSocket.closed).toBeNull();
    await testApp.call(other, sessions.endAllSessions);
    expect(await otherSocket.waitUntilClosed()).toBe(4401);
    expect(signedOutSocket.seqs(`project:${project}`)).toEqual([]);
  });

  test("revoking a token or disabling an account closes its sockets", async () => {
    const member = await person("member");
    const [first, second] = [await createApiToken(testApp, member), await createApiToken(testApp, member)];
    const [firstSocket, secondSocket, sessionSocket] = [await open(first), await open(second), await open(member)];
    await testApp.call(member, accounts.revokeToken, { params: { token_id: first.id } });
    expect(await firstSocket.waitUntilClosed()).toBe(4401);
    expect(secondSocket.closed).toBeNull();
    await updateMember(member, { disabled: true });
    expect(await secondSocket.waitUntilClosed()).toBe(4401);
    expect(await sessionSocket.waitUntilClosed()).toBe(4401);
  });

  test("the next check closes the socket of an expired token", async () => {
    const member = await person("member");
    const token = await createApiToken(testApp, member, ["account:read"], new Date(testApp.clock.now() + DAY).toISOString());
    const socket = await open(token);
    await socket.subscribe(`account:${member.id}`);
    testApp.clock.advance(2 * DAY);
    expect(await socket.waitUntilClosed()).toBe(4401);
  });

  test("a member removed from a project receives nothing more of it, not even the next message", async () => {
    const [project, otherProject] = [await testApp.newProject(), await testApp.newProject()];
    const topic = `project:${project}`;
    const member = await person("member", project, otherProject);
    const socket = await open(member);
    await socket.subscribe(topic);
    await socket.subscribe(`project:${otherProject}`);
    await write(project, "while a member");
    await waitUntil(() => socket.seqs(topic).length === 1, "the message");
    const [before] = socket.seqs(topic);
    await Promise.all([remove(project, member), ...Array.from({ length: 20 }, () => write(project, "maybe"))]);
    await write(project, "after");
    expect(await socket.nextFrame("refused", topic)).toMatchObject({ topic });
    await write(otherProject, "still received");
    await waitUntil(() => socket.seqs(`project:${otherProject}`).length === 1, "the other project's message");
    const removalEvent = await testApp.database.read
      .selectFrom("events")
      .select("seq")
      .where("topic", "=", topic)
      .where("type", "=", "project.member_removed")
      .executeTakeFirstOrThrow();
    // Events before the removal may be delivered, without gaps, and nothing after it.
    expect(socket.seqs(topic)).toEqual(seqsUpTo(socket.seqs(topic).at(-1) ?? 0, (before ?? 0) - 1));
    expect(socket.seqs(topic).at(-1)).toBeLessThan(removalEvent.seq);
    const after = await testApp.database.read
      .selectFrom("messages")
      .select("id")
      .where("body", "=", "after")
      .where("project_id", "=", project)
      .executeTakeFirstOrThrow();
    expect(signals(socket).some(({ data }) => data["message_id"] === after.id)).toBe(false);
    expect(await socket.subscribe(topic)).toHaveProperty("refused");
    // After being added again, the member can subscribe.
    await add(project, member);
    expect(await socket.subscribe(topic)).toHaveProperty("subscribed");
    await socket.close();
  });

  test("a removal that another process has not announced yet ends a catch-up that reads it from the log", async () => {
    const [project, otherProject] = [await testApp.newProject(), await testApp.newProject()];
    const topic = `project:${project}`;
    const member = await person("member", project, otherProject);
    const newest = await testApp.app.deps.events.loadNewestSeqs(testApp.database.read, [topic]).then((seqs) => seqs.get(topic) ?? 0);
    const socket = await open(member);
    await flush(socket, otherProject);
    // A log of its own announces events only to other processes, which this one notices later.
    const events = createEventLog(testApp.database, testApp.clock);
    await testApp.database.write(async (tx) => {
      await tx.deleteFrom("project_members").where("account_id", "=", member.id).where("project_id", "=", project).execute();
      await events.append(tx, topic, "project.member_removed", { project_id: project, account_id: member.id });
      await events.append(tx, topic, "sessions.changed", {});
    });
    socket.send({ subscribe: { topic, since: 0 } });
    expect(await socket.nextFrame("refused", topic)).toMatchObject({ topic });
    expect(socket.seqs(topic)).toEqual(seqsUpTo(socket.seqs(topic).length));
    expect(socket.seqs(topic).length).toBeLessThanOrEqual(newest);
    // Once the member is back, the removal is a past event like any other.
    await add(project, member);
    await socket.subscribe(topic, newest);
    await waitUntil(
      () => socket.seqs(topic).at(-1) === newest + 3,
      "the events of the meantime",
      () => socket.seqs(topic),
    );
    expect(
      socket
        .events(topic)
        .slice(-3)
        .map(({ type }) => type),
    ).toEqual(["project.member_removed", "sessions.changed", "project.member_added"]);
    await socket.close();
  });

  test("the next check ends access that was removed without an event", async () => {
    const project = await testApp.newProject();
    const member = await person("member", project);
    const socket = await open(member);
    expect(await socket.subscribe(`project:${project}`)).toHaveProperty("subscribed");
    await testApp.database.write((tx) => tx.deleteFrom("project_members").where("account_id", "=", member.id).execute());
    expect(await socket.nextFrame("refused")).toMatchObject({ topic: `project:${project}` });
    await write(project);
    await flush(socket, project);
    expect(socket.seqs(`project:${project}`)).toEqual([]);
    expect(signals(socket)).toEqual([]);
    await socket.close();
  });

  test("an admin who becomes a member keeps only their own projects", async () => {
    const [ownProject, foreignProject] = [await testApp.newProject(), await testApp.newProject()];
    const admin = await person("admin", ownProject);
    const socket = await open(admin);
    await socket.subscribe(`project:${ownProject}`);
    expect(await socket.subscribe(`project:${foreignProject}`)).toHaveProperty("subscribed");
    await updateMember(admin, { role: "member" });
    await write(foreignProject, "no longer for them");
    expect(await socket.nextFrame("refused")).toMatchObject({ topic: `project:${foreignProject}` });
    await write(ownProject);
    await waitUntil(() => socket.seqs(`project:${ownProject}`).length === 1, "the own project's message");
    expect(socket.seqs(`project:${foreignProject}`)).toEqual([]);
    expect(signals(socket).map(({ data }) => data["project_id"])).toEqual([ownProject]);
    await updateMember(admin, { role: "admin" });
    expect(await socket.subscribe(`project:${foreignProject}`)).toHaveProperty("subscribed");
    await socket.close();
  });

  test("activity is signaled to people who see the project, including projects created or joined meanwhile", async () => {
    const project = await testApp.newProject();
    const [member, outsider, admin] = [await person("member", project), await person("member"), await person("admin")];
    const [memberSocket, outsiderSocket, adminSocket] = [await open(member), await open(outsider), await open(admin)];
    // The refused subscription only ensures that the connection is set up.
    for (const socket of [memberSocket, outsiderSocket, adminSocket]) {
      socket.send({ subscribe: { topic: "project:999999" } });
      await socket.nextFrame("refused");
    }
    const id = await write(project);
    const signal = { type: "project.activity", data: { project_id: project, message_id: id, account_id: testApp.owner.id, mentions: [] } };
    await waitUntil(() => signals(memberSocket).length === 1 && signals(adminSocket).length === 1, "the signals");
    expect(signals(memberSocket)).toEqual([signal]);
    expect(signals(adminSocket)).toEqual([signal]);
    expect(signals(outsiderSocket)).toEqual([]);

    await testApp.call(testApp.owner, projects.updateProject, { params: { project_id: project }, body: { name: "Renamed" } });
    await waitUntil(() => signals(memberSocket).length === 2 && signals(adminSocket).length === 2, "the signal of the new name");
    expect(signals(memberSocket)[1]).toEqual({ type: "project.changed", data: { project_id: project } });
    expect(signals(outsiderSocket)).toEqual([]);

    await testApp.call(testApp.owner, createPlaylist, { body: { project_id: project, name: "Running order" } });
    await waitUntil(() => signals(memberSocket).length === 3 && signals(adminSocket).length === 3, "the signal of the playlist");
    expect(signals(memberSocket)[2]).toEqual({ type: "playlists.changed", data: { project_id: project } });
    expect(signals(outsiderSocket)).toEqual([]);

    await add(project, outsider);
    await flush(outsiderSocket, project);
    const joinedMessageId = await write(project);
    await waitUntil(() => signals(outsiderSocket).length === 1, "the signal after joining");
    expect(signals(outsiderSocket)[0]?.data["message_id"]).toBe(joinedMessageId);

    const freshProject = await testApp.newProject("Fresh", member);
    expect(await adminSocket.subscribe(`project:${freshProject}`)).toHaveProperty("subscribed");
    const first = await createMessage(testApp, member, freshProject, "first");
    await waitUntil(() => signals(adminSocket).some(({ data }) => data["message_id"] === first), "the signal of the new project");
    expect(signals(outsiderSocket).some(({ data }) => data["project_id"] === freshProject)).toBe(false);
    await Promise.all([memberSocket, outsiderSocket, adminSocket].map((socket) => socket.close()));
  });

  test("a token follows the topics of which its scopes show something, and receives only that", async () => {
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const [reader, other, webhooks] = [
      await createApiToken(testApp, testApp.owner, ["chat:read"]),
      await createApiToken(testApp, testApp.owner, ["account:read"]),
      await createApiToken(testApp, testApp.owner, ["webhooks"]),
    ];
    const [chatSocket, accountSocket, webhookSocket] = [await open(reader), await open(other), await open(webhooks)];
    for (const socket of [chatSocket, accountSocket]) expect(await socket.subscribe(topic)).toHaveProperty("subscribed");
    expect(await webhookSocket.subscribe(topic)).toMatchObject({
      refused: { reason: "This token needs one of the scopes chat:read, files:read, account:read." },
    });
    expect(await webhookSocket.subscribe(`organisation:${testApp.organization}`)).toHaveProperty("subscribed");
    await write(project);
    await waitUntil(
      () => [chatSocket, accountSocket].every((socket) => socket.seqs(topic).length === 1) && signals(chatSocket).length === 1,
      "event and signal",
    );
    expect([chatSocket.events(topic)[0]?.type, accountSocket.events(topic)[0]?.type]).toEqual(["message.created", "withheld"]);
    await flush(accountSocket, project);
    expect(signals(accountSocket)).toEqual([]);
    await Promise.all([chatSocket.close(), accountSocket.close(), webhookSocket.close()]);
  });

  test("a guest receives organization events only about people they can see", async () => {
    const project = await testApp.newProject();
    const topic = `organisation:${testApp.organization}`;
    const [guest, near, far] = [await person("guest", project), await person("member", project), await person("member")];
    const socket = await open(guest);
    const subscribedFrame = (await socket.subscribe(topic)) as { subscribed: { seq: number } };
    const rename = (target: Person, username: string) => testApp.call(target, accounts.updateAccount, { body: { username } });
    await rename(far, `far away ${engine}`);
    await rename(near, `near ${engine}`);
    await testApp.call(testApp.owner, teams.createGroup, { body: { team_id: testApp.team, name: "Secret plans" } });
    await waitUntil(
      () => socket.events(topic).length === 3,
      "three events",
      () => socket.events(topic),
    );
    expect(socket.events(topic).map(({ type, data }) => [type, data["username"]])).toEqual([
      ["withheld", undefined],
      ["account.updated", `near ${engine}`],
      ["withheld", undefined],
    ]);
    expect(socket.events(topic)[0]?.data).toEqual({});
    expect(socket.seqs(topic)).toEqual(seqsUpTo(subscribedFrame.subscribed.seq + 3, subscribedFrame.subscribed.seq));
    // The same applies to events read from the log.
    const replaySocket = await open(guest);
    await replaySocket.subscribe(topic, subscribedFrame.subscribed.seq);
    await waitUntil(() => replaySocket.events(topic).length === 3, "the same from the log");
    expect(replaySocket.events(topic)).toEqual(socket.events(topic));

    await add(project, far);
    await rename(far, `come close ${engine}`);
    await remove(project, near);
    await rename(near, `gone ${engine}`);
    await waitUntil(
      () => socket.events(topic).length === 5,
      "five events",
      () => socket.events(topic),
    );
    expect(
      socket
        .events(topic)
        .slice(3)
        .map(({ type, data }) => [type, data["username"]]),
    ).toEqual([
      ["account.updated", `come close ${engine}`],
      ["withheld", undefined],
    ]);
    await Promise.all([socket.close(), replaySocket.close()]);
  });
});
