import { sql } from "kysely";
import { createHash, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { sendMessage } from "../../../contract/operations/chat.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { liveTicket, signIn } from "../../../contract/operations/session.ts";
import { createModules } from "../../create-modules.ts";
import { ANONYMOUS, createClient } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createMessage } from "../../testing/fixtures.ts";
import { tusHeaders } from "../../testing/files.ts";
import { openRejectedSocket, openSocket, startLiveTestApp, waitUntil, seqsUpTo, type LiveTestApp, type TestSocket } from "../../testing/live.ts";
import { createSession, joinTeam, type Person } from "../../testing/people.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { SAME_ORIGIN_HEADERS, type TestApp } from "../../testing/test-app.ts";

const WRITERS = 2;
const MESSAGES = 100;

let openResources: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const resource of openResources.toReversed()) await resource.close();
  openResources = [];
});
async function track<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
  const resource = await opening;
  openResources.push(resource);
  return resource;
}

/** Returns the test app with a client that calls another process. */
const withServer = (testApp: LiveTestApp, server: TestApp["app"]["server"]): TestApp => ({ ...testApp, ...createClient(server) });

describe.runIf(ENGINES.includes("postgres"))("two processes on one PostgreSQL", { timeout: 30_000 }, () => {
  const listenerPids = sql<{ pid: number }>`select pid from pg_stat_activity where application_name = 'talkback-listen' and datname = current_database()`;

  test("events of both processes reach the readers of both, each once and in order", { timeout: 120_000 }, async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await track(testApp.startSecondApp());
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const [localSocket, remoteSocket] = [await openSocket(testApp.app.server, testApp.owner), await openSocket(otherProcess.app.server, testApp.owner)];
    await Promise.all([localSocket.subscribe(topic, 0), remoteSocket.subscribe(topic, 0)]);
    await Promise.all(
      [testApp, withServer(testApp, otherProcess.app.server)].flatMap((app, processIndex) =>
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let message = 0; message < MESSAGES; message += 1) await createMessage(app, testApp.owner, project, `${processIndex}/${writer}/${message}`);
        }),
      ),
    );
    const last = 2 * WRITERS * MESSAGES + 1;
    for (const socket of [localSocket, remoteSocket]) {
      await waitUntil(
        () => socket.seqs(topic).length >= last,
        "all events",
        () => socket.seqs(topic).length,
      );
      await sleep(300);
      expect(socket.seqs(topic)).toEqual(seqsUpTo(last));
      const signals = socket.frames.flatMap((frame) => ("signal" in frame ? [frame.signal as { type: string; data: { message_id: number } }] : []));
      const signaledIds = signals.filter(({ type }) => type === "project.activity").map(({ data }) => data.message_id);
      expect(signaledIds).toHaveLength(last - 1);
      expect(new Set(signaledIds).size).toBe(last - 1);
    }
  });

  test("access that one process revokes ends in the other", async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await track(testApp.startSecondApp());
    const project = await testApp.newProject();
    const member = await joinTeam(testApp, testApp.owner, "member", { team: testApp.team, role: "member", projects: [project] });
    const socket = await openSocket(otherProcess.app.server, member);
    await socket.subscribe(`project:${project}`);
    await testApp.call(testApp.owner, projects.removeProjectMember, { params: { project_id: project, account_id: member.id } });
    await createMessage(testApp, testApp.owner, project, "no longer for them");
    expect(await socket.nextFrame("refused")).toMatchObject({ topic: `project:${project}` });
    expect(socket.seqs(`project:${project}`)).toEqual([]);
    await testApp.app.services.sessions.endAll({
      accountId: member.id,
      organisationId: testApp.organization,
      role: "member",
      scopes: null,
      sessionId: null,
      tokenId: null,
      address: null,
      checkedRules: new Set(),
    });
    expect(await socket.waitUntilClosed()).toBe(4401);
  });

  test("a cut LISTEN connection is restored without losing events", { timeout: 120_000 }, async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await track(testApp.startSecondApp());
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const socket = await openSocket(testApp.app.server, testApp.owner);
    await socket.subscribe(topic, 0);
    const remoteApp = withServer(testApp, otherProcess.app.server);
    let isWriting = true;
    let cutCount = 0;
    const cutLoop = (async () => {
      while (isWriting) {
        const { rows } = await listenerPids.execute(testApp.database.read);
        for (const { pid } of rows) await sql`select pg_terminate_backend(${pid}::int)`.execute(testApp.database.read);
        cutCount += rows.length;
        await sleep(120);
      }
    })();
    for (let message = 0; message < 200; message += 1) {
      await createMessage(remoteApp, testApp.owner, project, `message ${message}`);
      await sleep(3);
    }
    isWriting = false;
    await cutLoop;
    expect(cutCount).toBeGreaterThan(2);
    await waitUntil(
      () => socket.seqs(topic).length >= 201,
      "all events",
      () => socket.seqs(topic).length,
      15_000,
    );
    expect(socket.seqs(topic)).toEqual(seqsUpTo(201));
    expect(socket.closed).toBeNull();

    // The last message is written while the listener is disconnected, and nothing follows it. Sockets that only receive signals get it too.
    const idleSocket = await openSocket(testApp.app.server, testApp.owner);
    await idleSocket.subscribe(`account:${testApp.owner.id}`);
    for (const { pid } of (await listenerPids.execute(remoteApp.database.read)).rows)
      await sql`select pg_terminate_backend(${pid}::int)`.execute(testApp.database.read);
    const id = await createMessage(remoteApp, testApp.owner, project, "into the gap");
    await waitUntil(() => socket.seqs(topic).at(-1) === 202, "the last event");
    await waitUntil(
      () => idleSocket.frames.some((frame) => "signal" in frame && (frame.signal as { data: { message_id: number } }).data.message_id === id),
      "its signal",
    );

    // A session revoked while the listener is disconnected is detected after it reconnects.
    const session = await createSession(testApp, testApp.owner.id, "second");
    const second = await openSocket(testApp.app.server, session);
    await second.subscribe(topic);
    const { rows } = await listenerPids.execute(testApp.database.read);
    for (const { pid } of rows) await sql`select pg_terminate_backend(${pid}::int)`.execute(testApp.database.read);
    await testApp.database.write((tx) => tx.deleteFrom("sessions").where("id", "=", session.id).execute());
    expect(await second.waitUntilClosed()).toBe(4401);
  });

  test("the LISTEN connection closes with the service", async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await testApp.startSecondApp();
    await (await openSocket(otherProcess.app.server, testApp.owner)).subscribe(`account:${testApp.owner.id}`);
    expect((await listenerPids.execute(testApp.database.read)).rows).toHaveLength(2);
    await otherProcess.close();
    await sleep(100);
    expect((await listenerPids.execute(testApp.database.read)).rows).toHaveLength(1);
  });

  test("people see who has a project open in another process, who types there, and how far its file is processed", async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await track(testApp.startSecondApp());
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const person = (name: string) => joinTeam(testApp, testApp.owner, name, { team: testApp.team, role: "member", projects: [project] });
    const [ana, ben] = [await person("ana"), await person("ben")];
    const signals = (socket: TestSocket, type: string) =>
      socket.frames.flatMap((frame) =>
        "signal" in frame && (frame.signal as { type: string }).type === type ? [(frame.signal as { data: { account_ids?: number[] } }).data] : [],
      );
    const untilPresent = (socket: TestSocket, ...people: Person[]) =>
      waitUntil(
        () => String(signals(socket, "presence").at(-1)?.account_ids) === String(people.map(({ id }) => id)),
        "presence",
        () => signals(socket, "presence"),
      );
    const here = await openSocket(testApp.app.server, ana);
    await here.subscribe(topic);
    const there = await openSocket(otherProcess.app.server, ben);
    await there.subscribe(topic);
    await untilPresent(here, ana, ben);
    await untilPresent(there, ana, ben);
    there.send({ typing: { project_id: project } });
    await waitUntil(() => signals(here, "typing").length === 1, "typing");
    const progress = { project_id: project, file_id: 1, version: 1, step: "analysis", progress: 0.5 };
    otherProcess.app.deps.signals.emit({ type: "file.progress", projectId: project, accountId: null, data: progress });
    // What came twice would be there before the next one.
    otherProcess.app.deps.signals.emit({ type: "file.progress", projectId: project, accountId: null, data: { ...progress, progress: 1 } });
    for (const socket of [here, there])
      await waitUntil(() => signals(socket, "file.progress").some((data) => "progress" in data && data.progress === 1), "progress");
    for (const socket of [here, there]) expect(signals(socket, "file.progress")).toEqual([progress, { ...progress, progress: 1 }]);
    expect(signals(here, "typing")).toEqual([{ project_id: project, account_id: ben.id }]);
    expect(signals(there, "typing")).toEqual([]);

    // Presence that changes while no process listens is corrected.
    for (const { pid } of (await listenerPids.execute(testApp.database.read)).rows)
      await sql`select pg_terminate_backend(${pid}::int)`.execute(testApp.database.read);
    await there.close();
    await untilPresent(here, ana);
  });

  test("an upload goes on in another process, and two processes never write to it at the same time", async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await track(testApp.startSecondApp());
    const { data: project } = (await testApp.call(testApp.owner, projects.createProject, { body: { name: "Songs", team_id: testApp.team } })).response;
    const root = project.root_folder_id ?? 0;
    const bytes = randomBytes(600_000);
    const send = (server: TestApp["app"]["server"], method: string, path: string, headers: Record<string, string>, body?: Buffer | PassThrough) =>
      sendRawRequest(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, testApp.owner, {
        method,
        path,
        headers: { "tus-resumable": "1.0.0", ...SAME_ORIGIN_HEADERS, ...(body ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
        ...(body ? { body } : {}),
      });
    const [first, second] = [testApp.app.server, otherProcess.app.server];
    const path = String((await send(first, "POST", "/api/v2/uploads", tusHeaders(bytes.length, { name: "take.wav", parent_id: root }))).headers["location"]);
    const body = new PassThrough();
    const interrupted = send(first, "PATCH", path, { "upload-offset": "0" }, body).then(
      ({ status }) => status,
      () => 0,
    );
    body.write(bytes.subarray(0, 200_000));
    const offset = async () => Number((await send(second, "HEAD", path, {})).headers["upload-offset"]);
    while ((await offset()) < 200_000) await sleep(20);
    // The request to the other process ends the one that hangs here.
    const finished = await send(second, "PATCH", path, { "upload-offset": "200000" }, bytes.subarray(200_000));
    expect(finished.status).toBe(200);
    expect(await interrupted).not.toBe(200);
    const { blob_key } = await testApp.database.read
      .selectFrom("file_versions")
      .select("blob_key")
      .where("file_id", "=", finished.json.file_id)
      .executeTakeFirstOrThrow();
    const blob = await testApp.database.read.selectFrom("blobs").select("sha256").where("key", "=", blob_key).executeTakeFirstOrThrow();
    expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test("a session, a ticket, the setup link and an idempotency key of one process are those of the other", async () => {
    const testApp = await track(startLiveTestApp("postgres"));
    const otherProcess = await track(testApp.startSecondApp());
    const remoteApp = withServer(testApp, otherProcess.app.server);
    expect(otherProcess.app.setupToken).toBe(testApp.app.setupToken);
    const project = await testApp.newProject();
    expect((await remoteApp.call(testApp.owner, projects.listProjects)).response.data.map(({ id }) => id)).toEqual([project]);

    const { ticket } = (await testApp.call(testApp.owner, liveTicket)).response.data;
    const socket = await openSocket(otherProcess.app.server, ANONYMOUS, `?ticket=${ticket}`);
    await socket.subscribe(`project:${project}`);
    expect((await openRejectedSocket(testApp.app.server, {}, `?ticket=${ticket}`)).status).toBe(401);

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? testApp : remoteApp).call(testApp.owner, sendMessage, {
          body: { project_id: project, body: "once", client_id: "5d8a4b6e-8f5a-4f0e-9b1e-0c3a8a4f2b11" },
        }),
      ),
    );
    expect(new Set(results.map(({ response }) => response.data.id)).size).toBe(1);
    expect(await testApp.database.read.selectFrom("messages").select("id").where("project_id", "=", project).execute()).toHaveLength(1);
  });

  test("guesses of a password count in all processes exactly, and requests in all of them together", async () => {
    const testApp = await track(startLiveTestApp("postgres", { environment: { RATE_LIMIT: "200" } }));
    const otherProcess = await track(testApp.startSecondApp({ RATE_LIMIT: "200" }));
    const apps = [testApp, withServer(testApp, otherProcess.app.server)];
    const guesses = await Promise.all(
      Array.from({ length: 24 }, (_, guess) => apps[guess % 2]!.callUntyped(ANONYMOUS, signIn, { body: { login: "owner", password: `wrong ${guess}` } })),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(14);

    const request = async (app: TestApp) => (await app.callUntyped(testApp.owner, projects.listProjects, { body: {} })).status;
    let allowed = 0;
    while ((await request(apps[0]!)) === 200) allowed += 1;
    expect(allowed).toBeGreaterThan(100);
    // The other process hears of it within a second.
    let allowedThere = 0;
    for (; (await request(apps[1]!)) === 200; await sleep(50)) allowedThere += 1;
    expect(allowedThere).toBeLessThan(60);
  });
});

describe("another process on one SQLite file", () => {
  test("its messages and revocations arrive without gaps or duplicates", { timeout: 60_000 }, async () => {
    const testApp = await track(startLiveTestApp("sqlite"));
    const project = await testApp.newProject();
    const topic = `project:${project}`;
    const database = testApp.testDatabase.open();
    openResources.push(database);
    const { services: cli } = createModules({ database, clock: testApp.clock, config: testApp.config, masterKey: Buffer.alloc(32) });
    const actor = {
      accountId: testApp.owner.id,
      organisationId: testApp.organization,
      role: "owner" as const,
      scopes: null,
      sessionId: null,
      tokenId: null,
      address: null,
      checkedRules: new Set<never>(),
    };
    const socket = await openSocket(testApp.app.server, testApp.owner);
    await socket.subscribe(topic, 0);
    const input = { projectId: project, parentId: null, clientId: null, attachmentIds: [], playlistId: null, isAudioMessage: false };
    await Promise.all([
      (async () => {
        for (let message = 0; message < 60; message += 1) {
          await cli.chat.send(actor, { ...input, body: `theirs ${message}` });
          if (message % 20 === 0) await sleep(300);
        }
      })(),
      (async () => {
        for (let message = 0; message < 60; message += 1) {
          await createMessage(testApp, testApp.owner, project, `ours ${message}`);
          if (message % 15 === 0) await sleep(200);
        }
      })(),
    ]);
    await waitUntil(
      () => socket.seqs(topic).length >= 121,
      "all events",
      () => socket.seqs(topic).length,
    );
    expect(socket.seqs(topic)).toEqual(seqsUpTo(121));

    // The service's own process writes nothing to this topic.
    await cli.chat.send(actor, { ...input, body: "last" });
    await waitUntil(() => socket.seqs(topic).length === 122, "the last event");
    await cli.sessions.endAll(actor);
    expect(await socket.waitUntilClosed()).toBe(4401);
  });
});
