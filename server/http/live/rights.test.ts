import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as sessions from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { Role } from "../../../contract/records.ts";
import { writeMessage } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { freshSession, join, tokenOf, type Person } from "../../testing/people.ts";
import { DAY } from "../../lib/clock.ts";
import { openSocket, startLiveWorld, until, upTo, type LiveWorld, type TestSocket } from "../../testing/live.ts";

describe.each(ENGINES)("rights on %s", { timeout: 30_000 }, (engine) => {
  let world: LiveWorld;
  let count = 0;
  beforeAll(async () => {
    world = await startLiveWorld(engine, { liveTiming: { heartbeatMs: 25_000, recheckMs: 100 } });
  });
  afterAll(() => world.close());

  const person = (role: Role, ...in_: number[]): Promise<Person> =>
    join(world, world.owner, `${role} ${(count += 1)}`, { team: world.team, role, projects: in_ });
  const open = (caller: { headers: Readonly<Record<string, string>> }) => openSocket(world.app.server, caller);
  const remove = (project: number, who: Person) =>
    world.call(world.owner, projects.removeProjectMember, { params: { project_id: project, account_id: who.id } });
  const add = (project: number, who: Person) =>
    world.call(world.owner, projects.addProjectMember, { params: { project_id: project }, body: { account_id: who.id } });
  const write = (project: number, body = "hello") => writeMessage(world, world.owner, project, body);
  const manage = (who: Person, body: { role?: Role; disabled?: boolean }) =>
    world.call(world.owner, accounts.updateMember, { params: { account_id: who.id }, body });
  /** Without presence, which every subscription begins with: followers.test.ts. */
  const signals = (socket: TestSocket) =>
    socket.frames
      .flatMap((frame) => ("signal" in frame ? [frame.signal as { type: string; data: Record<string, unknown> }] : []))
      .filter(({ type }) => type !== "presence");
  /** A frame that the service sends after everything that was asked before. */
  const settle = async (socket: TestSocket, project: number) => {
    const ping = (count += 1);
    await socket.subscribe(`project:${project}`);
    socket.send({ ping });
    await until(() => socket.frames.some((frame) => "pong" in frame && frame.pong === ping), "the pong");
  };

  test("signing out closes this session's sockets and no others", async () => {
    const project = await world.newProject();
    const member = await person("member", project);
    const other = await freshSession(world, member.id, "other");
    const [here, there] = [await open(member), await open(other)];
    await here.subscribe(`project:${project}`);
    await there.subscribe(`project:${project}`);
    await world.call(member, sessions.signOut);
    expect(await here.untilClosed()).toBe(4401);
    await write(project);
    await until(() => there.seqs(`project:${project}`).length === 1, "the message at the other session");
    expect(there.closed).toBeNull();
    await world.call(other, sessions.endAllSessions);
    expect(await there.untilClosed()).toBe(4401);
    expect(here.seqs(`project:${project}`)).toEqual([]);
  });

  test("a revoked token and a disabled account lose their sockets", async () => {
    const member = await person("member");
    const [first, second] = [await tokenOf(world, member), await tokenOf(world, member)];
    const [one, two, three] = [await open(first), await open(second), await open(member)];
    await world.call(member, accounts.revokeToken, { params: { token_id: first.id } });
    expect(await one.untilClosed()).toBe(4401);
    expect(two.closed).toBeNull();
    await manage(member, { disabled: true });
    expect(await two.untilClosed()).toBe(4401);
    expect(await three.untilClosed()).toBe(4401);
  });

  test("what merely expires is noticed at the next look", async () => {
    const member = await person("member");
    const token = await tokenOf(world, member, ["account:read"], new Date(world.clock.now() + DAY).toISOString());
    const socket = await open(token);
    await socket.subscribe(`account:${member.id}`);
    world.clock.pass(2 * DAY);
    expect(await socket.untilClosed()).toBe(4401);
  });

  test("who is removed from a project receives nothing more of it, not even the message right after", async () => {
    const [project, kept] = [await world.newProject(), await world.newProject()];
    const topic = `project:${project}`;
    const member = await person("member", project, kept);
    const socket = await open(member);
    await socket.subscribe(topic);
    await socket.subscribe(`project:${kept}`);
    await write(project, "while a member");
    await until(() => socket.seqs(topic).length === 1, "the message");
    const [before] = socket.seqs(topic);
    await Promise.all([remove(project, member), ...Array.from({ length: 20 }, () => write(project, "maybe"))]);
    await write(project, "after");
    expect(await socket.next("refused", topic)).toMatchObject({ topic });
    await write(kept, "still heard");
    await until(() => socket.seqs(`project:${kept}`).length === 1, "the other project's message");
    const removed = await world.database.read
      .selectFrom("events")
      .select("seq")
      .where("topic", "=", topic)
      .where("type", "=", "project.member_removed")
      .executeTakeFirstOrThrow();
    // Everything up to the removal may be heard, without a hole; nothing after it.
    expect(socket.seqs(topic)).toEqual(upTo(socket.seqs(topic).at(-1) ?? 0, (before ?? 0) - 1));
    expect(socket.seqs(topic).at(-1)).toBeLessThan(removed.seq);
    const after = await world.database.read
      .selectFrom("messages")
      .select("id")
      .where("body", "=", "after")
      .where("project_id", "=", project)
      .executeTakeFirstOrThrow();
    expect(signals(socket).some(({ data }) => data["message_id"] === after.id)).toBe(false);
    expect(await socket.subscribe(topic)).toHaveProperty("refused");
    // Added again, they are let in again.
    await add(project, member);
    expect(await socket.subscribe(topic)).toHaveProperty("subscribed");
    await socket.close();
  });

  test("what changed without a word is noticed at the next look", async () => {
    const project = await world.newProject();
    const member = await person("member", project);
    const socket = await open(member);
    expect(await socket.subscribe(`project:${project}`)).toHaveProperty("subscribed");
    await world.database.write((tx) => tx.deleteFrom("project_members").where("account_id", "=", member.id).execute());
    expect(await socket.next("refused")).toMatchObject({ topic: `project:${project}` });
    await write(project);
    await settle(socket, project);
    expect(socket.seqs(`project:${project}`)).toEqual([]);
    expect(signals(socket)).toEqual([]);
    await socket.close();
  });

  test("an admin who becomes a member keeps only their own projects", async () => {
    const [own, others] = [await world.newProject(), await world.newProject()];
    const admin = await person("admin", own);
    const socket = await open(admin);
    await socket.subscribe(`project:${own}`);
    expect(await socket.subscribe(`project:${others}`)).toHaveProperty("subscribed");
    await manage(admin, { role: "member" });
    await write(others, "no longer for them");
    expect(await socket.next("refused")).toMatchObject({ topic: `project:${others}` });
    await write(own);
    await until(() => socket.seqs(`project:${own}`).length === 1, "the own project's message");
    expect(socket.seqs(`project:${others}`)).toEqual([]);
    expect(signals(socket).map(({ data }) => data["project_id"])).toEqual([own]);
    await manage(admin, { role: "admin" });
    expect(await socket.subscribe(`project:${others}`)).toHaveProperty("subscribed");
    await socket.close();
  });

  test("activity is signalled to those who see the project, also in projects made or joined meanwhile", async () => {
    const project = await world.newProject();
    const [member, outsider, admin] = [await person("member", project), await person("member"), await person("admin")];
    const [theirs, outside, above] = [await open(member), await open(outsider), await open(admin)];
    // Nothing subscribed, but the way in is done.
    for (const socket of [theirs, outside, above]) {
      socket.send({ subscribe: { topic: "project:999999" } });
      await socket.next("refused");
    }
    const id = await write(project);
    const signal = { type: "project.activity", data: { project_id: project, message_id: id, account_id: world.owner.id, mentions: [] } };
    await until(() => signals(theirs).length === 1 && signals(above).length === 1, "the signals");
    expect(signals(theirs)).toEqual([signal]);
    expect(signals(above)).toEqual([signal]);
    expect(signals(outside)).toEqual([]);

    await world.call(world.owner, projects.updateProject, { params: { project_id: project }, body: { name: "Renamed" } });
    await until(() => signals(theirs).length === 2 && signals(above).length === 2, "the signal of the new name");
    expect(signals(theirs)[1]).toEqual({ type: "project.changed", data: { project_id: project } });
    expect(signals(outside)).toEqual([]);

    await add(project, outsider);
    await settle(outside, project);
    const joined = await write(project);
    await until(() => signals(outside).length === 1, "the signal after joining");
    expect(signals(outside)[0]?.data["message_id"]).toBe(joined);

    const fresh = await world.newProject("Fresh", member);
    expect(await above.subscribe(`project:${fresh}`)).toHaveProperty("subscribed");
    const first = await writeMessage(world, member, fresh, "first");
    await until(() => signals(above).some(({ data }) => data["message_id"] === first), "the signal of the new project");
    expect(signals(outside).some(({ data }) => data["project_id"] === fresh)).toBe(false);
    await Promise.all([theirs, outside, above].map((socket) => socket.close()));
  });

  test("a token hears what its scopes allow", async () => {
    const project = await world.newProject();
    const [reader, other] = [await tokenOf(world, world.owner, ["chat:read"]), await tokenOf(world, world.owner, ["account:read"])];
    const [chats, account] = [await open(reader), await open(other)];
    expect(await chats.subscribe(`project:${project}`)).toHaveProperty("subscribed");
    expect(await chats.subscribe(`account:${world.owner.id}`)).toMatchObject({ refused: { reason: "This token lacks the scope account:read." } });
    expect(await account.subscribe(`project:${project}`)).toMatchObject({ refused: { reason: "This token lacks the scope chat:read." } });
    expect(await account.subscribe(`organisation:${world.organisation}`)).toHaveProperty("subscribed");
    await write(project);
    await until(() => chats.seqs(`project:${project}`).length === 1 && signals(chats).length === 1, "message and signal");
    await settle(account, project);
    expect(signals(account)).toEqual([]);
    await Promise.all([chats.close(), account.close()]);
  });

  test("a guest reads in the organisation's topic only of people they see, at every time", async () => {
    const project = await world.newProject();
    const topic = `organisation:${world.organisation}`;
    const [guest, near, far] = [await person("guest", project), await person("member", project), await person("member")];
    const socket = await open(guest);
    const answer = (await socket.subscribe(topic)) as { subscribed: { seq: number } };
    const rename = (who: Person, username: string) => world.call(who, accounts.updateAccount, { body: { username } });
    await rename(far, `far away ${engine}`);
    await rename(near, `near ${engine}`);
    await world.call(world.owner, teams.createGroup, { body: { team_id: world.team, name: "Secret plans" } });
    await until(
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
    expect(socket.seqs(topic)).toEqual(upTo(answer.subscribed.seq + 3, answer.subscribed.seq));
    // The same holds for what comes from the log.
    const again = await open(guest);
    await again.subscribe(topic, answer.subscribed.seq);
    await until(() => again.events(topic).length === 3, "the same from the log");
    expect(again.events(topic)).toEqual(socket.events(topic));

    await add(project, far);
    await rename(far, `come close ${engine}`);
    await remove(project, near);
    await rename(near, `gone ${engine}`);
    await until(
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
    await Promise.all([socket.close(), again.close()]);
  });
});
