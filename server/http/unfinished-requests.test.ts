/** Tests with raw sockets that nobody can hold connections and memory: unfinished bodies, unread responses, uploads that stall. */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../contract/define-operation.ts";
import { operations } from "../../contract/operations/all.ts";
import { createUpload, uploadFile } from "../../contract/operations/files.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import { ANONYMOUS, type Caller } from "../testing/client.ts";
import { createTusUpload, upload } from "../testing/files.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { waitUntil } from "../testing/live.ts";
import { createApiToken, createSession, joinTeam, PASSWORD, setUpOwner } from "../testing/people.ts";
import { connectRaw, listen, type RawConnection, unfinishedRequest } from "../testing/raw-socket.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../testing/test-app.ts";
import { createServer } from "./server.ts";

const OPERATIONS = Object.entries(operations as Record<string, Operation>);
const WITH_BODY = OPERATIONS.filter(([, { method }]) => method !== "GET");
const statusOf = ({ received }: RawConnection): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, "1");
const contentType = ({ bytes }: Operation): string =>
  bytes === "body" ? "application/octet-stream" : bytes === "tus" ? "application/offset+octet-stream" : "application/json";

/** Sends an unfinished request and waits for the response, which must come without the rest of the body. */
async function sendUnfinished(base: string, operation: Operation, headers: Record<string, string>): Promise<number> {
  const connection = connectRaw(base, unfinishedRequest(operation.method, pathOf(operation), { "Content-Type": contentType(operation), ...headers }));
  await waitUntil(() => statusOf(connection) > 0 || connection.isClosed(), `a response to ${operation.method} ${operation.path}`);
  connection.socket.destroy();
  return statusOf(connection);
}

describe("before a body is read", { timeout: 60_000 }, () => {
  let fixtures: Fixtures;
  let base: string;
  const log: string[] = [];
  beforeAll(async () => {
    fixtures = await createFixtures("sqlite", { onLog: (line) => void log.push(line) });
    base = await listen(fixtures.testApp);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  it("every operation refuses a caller who is not signed in, and an invalid token", async () => {
    const guarded = WITH_BODY.filter(([, { rule }]) => rule !== "open").map(([, operation]) => operation);
    expect(guarded.length).toBeGreaterThan(60);
    for (const operation of [...guarded, { ...createUpload, method: "PATCH", path: `${createUpload.path}/${"0".repeat(32)}` } as Operation]) {
      expect(await sendUnfinished(base, operation, {}), `${operation.method} ${operation.path}`).toBe(401);
      expect(await sendUnfinished(base, operation, { Authorization: "Bearer nonsense" }), `${operation.method} ${operation.path}`).toBe(401);
    }
  });

  it("every operation refuses another site's page, and a token without the scope", async () => {
    const { cookie = "" } = fixtures.member.headers;
    const narrow = await createApiToken(fixtures.testApp, fixtures.owner, ["webhooks"]);
    for (const [, operation] of WITH_BODY.filter(([, { anyOrigin }]) => !anyOrigin)) {
      const foreign = await sendUnfinished(base, operation, { Cookie: cookie, Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" });
      expect(foreign, `${operation.method} ${operation.path}`).toBe(403);
      if (operation.scope === null || operation.scope === "webhooks") continue;
      expect(await sendUnfinished(base, operation, { ...narrow.headers }), `${operation.method} ${operation.path}`).toBe(403);
    }
  });

  it("a path without an operation is refused too", async () => {
    for (const path of ["/v1/nothing", "/api/v2/nothing", "/nothing"]) expect(await sendUnfinished(base, { ...teams.listTeams, path }, {}), path).toBe(404);
  });

  it("an aborted body of any operation is no fault of the service: it is not logged and changes nothing", async () => {
    log.length = 0;
    // The response to the first request shows that the unfinished one, which is sent with it, has arrived.
    const first = "GET /api/v2/service HTTP/1.1\r\nHost: talkback.test:3000\r\n\r\n";
    const begun = await fixtures.testApp.send(fixtures.owner, {
      method: "POST",
      url: createUpload.path,
      headers: {
        "tus-resumable": "1.0.0",
        "upload-length": "100",
        "upload-metadata": `project_id ${btoa(String(fixtures.home.project))},name ${btoa("a.wav")}`,
      },
    });
    expect(begun.status, begun.text).toBe(201);
    const continued = { ...createUpload, method: "PATCH", path: String(begun.headers["location"]) } as const;
    for (const operation of [...WITH_BODY.map(([, each]) => each), continued]) {
      for (const caller of [fixtures.owner, ANONYMOUS]) {
        for (const end of ["destroy", "resetAndDestroy"] as const) {
          const unfinished = unfinishedRequest(operation.method, pathOf(operation), {
            "Content-Type": contentType(operation),
            "Tus-Resumable": "1.0.0",
            "Upload-Offset": "0",
            ...caller.headers,
          });
          const connection = connectRaw(base, first + unfinished);
          await waitUntil(() => statusOf(connection) === 200, `a response before ${operation.method} ${operation.path}`);
          connection.socket[end]();
        }
      }
    }
    // Answered after the aborted ones.
    for (let round = 0; round < 20; round += 1) expect((await fixtures.testApp.call(fixtures.owner, session.getSession)).status).toBe(200);
    expect(log).toEqual([]);
  });
});

async function startListening(options: TestAppOptions): Promise<{ testApp: TestApp; base: string }> {
  const testApp = await startTestApp("sqlite", options);
  return { testApp, base: await listen(testApp) };
}
const SERVICE = "GET /api/v2/service HTTP/1.1\r\nHost: talkback.test:3000\r\nConnection: close\r\n\r\n";
const signInRequest = (headers: Record<string, string> = {}) => unfinishedRequest("POST", session.signIn.path, headers);

describe("what one client can hold", { timeout: 30_000 }, () => {
  it("a body that does not arrive in time is answered with 408 and the connection ends, also while bytes trickle in", async () => {
    const { testApp, base } = await startListening({ serverLimits: { jsonMs: 300 } });
    const owner = await setUpOwner(testApp);
    const connections = [connectRaw(base, signInRequest()), connectRaw(base, unfinishedRequest("POST", teams.listTeams.path, { ...owner.headers }))];
    const trickle = setInterval(() => connections.forEach(({ socket }) => socket.write(" ")), 50);
    for (const connection of connections) {
      await waitUntil(() => statusOf(connection) > 0, "a response");
      expect(connection.received).toMatch(/^HTTP\/1\.1 408 /);
      expect(connection.received).toContain("application/problem+json");
    }
    await Promise.all(connections.map(({ closed }) => closed));
    clearInterval(trickle);
    await testApp.close();
  });

  it("an upload that stays slower than the least rate ends, and a faster one does not", async () => {
    const { testApp, base } = await startListening({ serverLimits: { uploadGraceMs: 300, uploadBytesPerSecond: 500 } });
    const owner = await setUpOwner(testApp);
    const token = await createApiToken(testApp, owner);
    const head = (length: number) =>
      unfinishedRequest(
        "PUT",
        `${uploadFile.path}?parent_id=1&name=a.bin`,
        { ...token.headers, "Content-Type": "application/octet-stream" },
        { length, first: "x" },
      );
    const [slow, fast] = [connectRaw(base, head(1_000_000)), connectRaw(base, head(1_000_000))];
    const trickle = setInterval(() => void slow.socket.write("x"), 50);
    const flow = setInterval(() => void fast.socket.write("x".repeat(200)), 50);
    await slow.closed;
    expect(fast.isClosed()).toBe(false);
    for (const timer of [trickle, flow]) clearInterval(timer);
    fast.socket.destroy();
    await testApp.close();
  });

  it("an upload that is queued is not too slow, however long it waits; one that stalls while it is read ends", async () => {
    const { testApp, base } = await startListening({
      environment: { STREAMS_PER_CALLER: "1" },
      serverLimits: { idleMs: 300, uploadGraceMs: 200, uploadBytesPerSecond: 1 },
    });
    const owner = await setUpOwner(testApp);
    const [team] = (await testApp.call(owner, teams.listTeams)).response.data;
    const project = await testApp.call(owner, projects.createProject, { body: { name: "Uploads", team_id: team?.id ?? 0 } });
    const folder = project.response.data.root_folder_id;
    const [token, otherToken] = [
      await createApiToken(testApp, owner),
      await createApiToken(testApp, await joinTeam(testApp, owner, "other", { team: team?.id ?? 0, role: "admin" })),
    ];
    const startUpload = ({ headers }: Caller, name: string, first: string) =>
      connectRaw(
        base,
        unfinishedRequest(
          "PUT",
          `${uploadFile.path}?parent_id=${folder}&name=${name}`,
          { ...headers, "Content-Type": "application/octet-stream" },
          { length: 500, first },
        ),
      );
    const running = startUpload(token, "running.bin", "x");
    const flow = setInterval(() => void running.socket.write("x"), 50);
    await waitUntil(() => running.socket.bytesWritten > 0, "the upload that runs");
    expect(await connectRaw(base, SERVICE).closed).toMatch(/^HTTP\/1\.1 200 /);
    const queued = startUpload(token, "queued.bin", "x");
    // Those of another account come after the queued one, and end before it may start.
    for (let count = 0; count < 3; count += 1) await startUpload(otherToken, `stalled${count}.bin`, "").closed;
    expect([running.isClosed(), queued.isClosed(), statusOf(queued)]).toEqual([false, false, 0]);
    clearInterval(flow);
    running.socket.destroy();
    queued.socket.write("x".repeat(499));
    await waitUntil(() => statusOf(queued) > 0 || queued.isClosed(), "the response to the queued upload");
    expect(statusOf(queued)).toBe(200);
    queued.socket.destroy();
    await testApp.close();
  });

  it.each([
    { kind: "that waited like it", slots: 0 },
    { kind: "that runs already", slots: 1 },
  ])("an unread download $kind ends by its idle time, although a further request of its connection waits or has waited", async ({ slots }) => {
    const { testApp, owner, home } = await createFixtures("sqlite", { environment: { STREAMS_PER_CALLER: "2" }, serverLimits: { idleMs: 400 } });
    const base = await listen(testApp);
    const file = await upload(testApp, owner, { parent: home.folder, bytes: Buffer.alloc(30_000_000) });
    const { headers } = await createApiToken(testApp, owner);
    const running = Array.from({ length: 2 - slots }, (_, index) => {
      const path = `${uploadFile.path}?parent_id=${home.folder}&name=${index}.bin`;
      return connectRaw(base, unfinishedRequest("PUT", path, { ...headers, "Content-Type": "application/octet-stream" }, { length: 100_000, first: "x" }));
    });
    const flow = setInterval(() => running.forEach(({ socket }) => socket.write("x")), 50);
    await waitUntil(() => running.every(({ socket }) => socket.bytesWritten > 0), "the uploads");
    const connectionCount = () => new Promise<number>((resolve) => testApp.app.server.server.getConnections((_error, count) => resolve(count)));
    const settle = async () => {
      for (let round = 0; round < 5; round += 1) expect((await testApp.call(owner, session.getSession)).status).toBe(200);
    };
    await settle();
    const download = unfinishedRequest("GET", `/api/v2/files/${file}/versions/1/original`, { ...headers, "Content-Length": "0" }, { first: "" });
    const unread = connectRaw(base, download + download);
    unread.socket.pause();
    await waitUntil(() => unread.socket.bytesWritten > 0, "the downloads");
    await settle();
    if (slots === 0) running.splice(0).forEach(({ socket }) => socket.destroy());
    while ((await connectionCount()) > running.length) await sleep(20);
    clearInterval(flow);
    [...running, unread].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("a response that nobody reads ends with its connection, one that is read does not", async () => {
    const server = await createServer({ publicUrl: "http://talkback.test", logLevel: "silent", trustProxy: [], limits: { responseMs: 500 } });
    for (const size of [100, 20_000_000])
      server.get(`/${size}`, async (_request, reply) => reply.type("application/json").send(JSON.stringify("x".repeat(size))));
    await server.listen({ host: "127.0.0.1", port: 0 });
    const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const request = (size: number) => `GET /${size} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const read = connectRaw(base, request(100));
    await waitUntil(() => statusOf(read) === 200, "the response that is read");
    const unread = connectRaw(base, request(20_000_000));
    unread.socket.pause();
    const connectionCount = () => new Promise<number>((resolve) => server.server.getConnections((_error, count) => resolve(count)));
    await waitUntil(() => unread.socket.bytesWritten > 0, "the request");
    while ((await connectionCount()) > 1) await sleep(20);
    expect(read.isClosed()).toBe(false);
    read.socket.destroy();
    unread.socket.destroy();
    await server.close();
  });

  it("six requests of an account are under way, further ones wait for one of them, and nobody else does", async () => {
    const { testApp, base } = await startListening({});
    const owner = await setUpOwner(testApp);
    const [team] = (await testApp.call(owner, teams.listTeams)).response.data;
    const member = await joinTeam(testApp, owner, "member", { team: team?.id ?? 0, role: "member" });
    const asOwner = { Cookie: owner.headers["cookie"] ?? "", "Sec-Fetch-Site": "same-origin" };
    const held = Array.from({ length: 6 }, () => connectRaw(base, unfinishedRequest("POST", teams.listTeams.path, asOwner)));
    await waitUntil(() => held.every(({ socket }) => socket.bytesWritten > 0), "connecting");
    const get = (headers: Record<string, string>) =>
      connectRaw(base, unfinishedRequest("GET", session.getSession.path, { ...headers, "Content-Length": "0" }, { first: "" }));
    const media = connectRaw(base, unfinishedRequest("GET", "/api/v2/files/1/versions/1/original", { ...asOwner, "Content-Length": "0" }, { first: "" }));
    // Media and uploads are counted apart.
    await waitUntil(() => statusOf(media) === 404, "the response of the media route");
    const [waiting, leaving] = [get(asOwner), get(asOwner)];
    const other = get({ Cookie: member.headers["cookie"] ?? "" });
    await waitUntil(() => statusOf(other) === 200, "the response of another account");
    expect([statusOf(waiting), statusOf(leaving)]).toEqual([0, 0]);
    leaving.socket.destroy();
    held[0]?.socket.destroy();
    await waitUntil(() => statusOf(waiting) === 200, "the response of the waiting request");
    [...held, waiting, other, media].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("a request that waited for its turn is refused if its session has ended meanwhile", async () => {
    const { testApp, base } = await startListening({});
    const owner = await setUpOwner(testApp);
    const asOwner = { Cookie: owner.headers["cookie"] ?? "", "Sec-Fetch-Site": "same-origin" };
    const held = Array.from({ length: 6 }, () => connectRaw(base, unfinishedRequest("POST", teams.listTeams.path, asOwner)));
    await waitUntil(() => held.every(({ socket }) => socket.bytesWritten > 0), "connecting");
    const body = JSON.stringify({ user_info: "after the end" });
    const waiting = connectRaw(base, unfinishedRequest("PATCH", "/api/v2/account", asOwner, { length: body.length, first: body }));
    const open = connectRaw(base, unfinishedRequest("GET", session.getService.path, {}, { length: 0, first: "" }));
    await waitUntil(() => statusOf(open) === 200, "a later request");
    expect(statusOf(waiting)).toBe(0);
    await testApp.database.write((tx) => tx.deleteFrom("sessions").execute());
    held[0]?.socket.destroy();
    await waitUntil(() => statusOf(waiting) > 0, "the waiting request");
    expect(statusOf(waiting)).toBe(401);
    const { user_info } = await testApp.database.read.selectFrom("accounts").select("user_info").executeTakeFirstOrThrow();
    expect(user_info).not.toBe("after the end");
    [...held, waiting, open].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("so is one that continues, asks for or cancels an upload", async () => {
    const { testApp, owner, home } = await createFixtures("sqlite", { environment: { STREAMS_PER_CALLER: "3" } });
    const base = await listen(testApp);
    const path = await createTusUpload(testApp, owner, 1, { name: "late.wav", parent_id: home.folder });
    const headers = { ...owner.headers, "Content-Type": "application/octet-stream" };
    const held = [1, 2, 3].map((index) => connectRaw(base, unfinishedRequest("PUT", `${uploadFile.path}?parent_id=${home.folder}&name=${index}.bin`, headers)));
    await waitUntil(() => held.every(({ socket }) => socket.bytesWritten > 0), "connecting");
    const ofTus = { ...owner.headers, "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream" };
    const waiting = ["PATCH", "HEAD", "DELETE"].map((method) =>
      connectRaw(base, unfinishedRequest(method, path, ofTus, method === "PATCH" ? { length: 1, first: "x" } : { length: 0, first: "" })),
    );
    const open = connectRaw(base, unfinishedRequest("GET", session.getService.path, {}, { length: 0, first: "" }));
    await waitUntil(() => statusOf(open) === 200, "a later request");
    expect(waiting.map(statusOf)).toEqual([0, 0, 0]);
    await testApp.database.write((tx) => tx.deleteFrom("sessions").execute());
    held.forEach(({ socket }) => socket.destroy());
    await waitUntil(() => waiting.every((connection) => statusOf(connection) > 0), "the waiting requests");
    expect(waiting.map(statusOf)).toEqual([401, 401, 401]);
    const again = await createSession(testApp, owner.id, "owner");
    const head = await testApp.send(again, { method: "HEAD", url: path, headers: { "tus-resumable": "1.0.0" } });
    expect([head.status, head.headers["upload-offset"]]).toEqual([200, "0"]);
    [...waiting, open].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("slow bodies of strangers do not keep others of their network from signing in", async () => {
    const { testApp, base } = await startListening({});
    await setUpOwner(testApp);
    const held = Array.from({ length: 12 }, () => connectRaw(base, signInRequest()));
    await waitUntil(() => held.every(({ socket }) => socket.bytesWritten > 0), "connecting");
    expect(await connectRaw(base, SERVICE).closed).toMatch(/^HTTP\/1\.1 200 /);
    const body = JSON.stringify({ login: "owner", password: PASSWORD });
    const signIn = connectRaw(base, unfinishedRequest("POST", session.signIn.path, {}, { length: body.length, first: body }));
    await waitUntil(() => statusOf(signIn) === 200, "the sign-in");
    [...held, signIn].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });
});
