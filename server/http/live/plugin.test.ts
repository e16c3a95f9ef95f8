import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { liveTicket } from "../../../contract/operations/session.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openSocket, openRejectedSocket, startLiveTestApp, waitUntil, type LiveTestApp } from "../../testing/live.ts";
import { createSession, createApiToken } from "../../testing/people.ts";
import { MAX_SOCKETS_PER_ACCOUNT } from "./live.ts";

describe.each(ENGINES)("opening the live channel on %s", { timeout: 30_000 }, (engine) => {
  let testApp: LiveTestApp;
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine);
  });
  afterAll(() => testApp.close());

  test("returns a 401 problem before the upgrade without authentication", async () => {
    const rejection = await openRejectedSocket(testApp.app.server, {});
    expect(rejection).toMatchObject({
      status: 401,
      body: { object: "error", status: 401 },
      headers: { "www-authenticate": expect.stringContaining("Bearer") as string },
    });
    expect(rejection.headers["content-type"]).toContain("application/problem+json");
  });

  test("a cookie opens it only from the service's own origin", async () => {
    const { cookie = "", origin = "" } = testApp.owner.headers;
    expect((await openRejectedSocket(testApp.app.server, { cookie, origin: "https://evil.example" })).status).toBe(403);
    expect((await openRejectedSocket(testApp.app.server, { cookie, origin: "null" })).status).toBe(403);
    expect((await openRejectedSocket(testApp.app.server, { cookie })).status).toBe(403);
    const socket = await openSocket(testApp.app.server, { headers: { cookie, origin } });
    await socket.close();
  });

  test("a bearer token opens it, an invalid one does not", async () => {
    const token = await createApiToken(testApp, testApp.owner);
    const socket = await openSocket(testApp.app.server, token);
    await socket.close();
    expect((await openRejectedSocket(testApp.app.server, { authorization: "Bearer tb_pat_00000000_nothing" })).status).toBe(401);
  });

  test("a ticket opens it once and only before it expires", async () => {
    const token = await createApiToken(testApp, testApp.owner, ["chat:read", "account:read"]);
    const { ticket } = (await testApp.call(token, liveTicket)).response.data;
    const socket = await openSocket(testApp.app.server, { headers: { origin: "https://elsewhere.example" } }, `?ticket=${ticket}`);
    expect(await socket.subscribe(`account:${testApp.owner.id}`)).toHaveProperty("subscribed");
    await socket.close();
    expect((await openRejectedSocket(testApp.app.server, {}, `?ticket=${ticket}`)).status).toBe(401);

    const expiredTicket = (await testApp.call(token, liveTicket)).response.data.ticket;
    testApp.clock.advance(31_000);
    expect((await openRejectedSocket(testApp.app.server, {}, `?ticket=${expiredTicket}`)).status).toBe(401);
    expect((await openRejectedSocket(testApp.app.server, {}, "?ticket=")).status).toBe(400);
    expect((await openRejectedSocket(testApp.app.server, {}, `?ticket=${"x".repeat(300)}`)).status).toBe(400);
    // A valid cookie does not make up for an invalid ticket.
    expect((await openRejectedSocket(testApp.app.server, { ...testApp.owner.headers }, "?ticket=guess")).status).toBe(401);
  });

  test("an ordinary request gets an explanation, and other paths accept no sockets", async () => {
    const plainReply = await testApp.send(testApp.owner, { method: "GET", url: "/api/v2/live" });
    expect(plainReply.problem).toMatchObject({ status: 400, detail: expect.stringContaining("websocket") as string });
    expect((await openRejectedSocket(testApp.app.server, { ...testApp.owner.headers }, "", "/api/v2/service")).status).toBe(200);
    const postStatus = await new Promise<number>((resolve, reject) => {
      const { port } = testApp.app.server.server.address() as AddressInfo;
      request(
        { port, host: "127.0.0.1", method: "POST", path: "/api/v2/live", headers: { connection: "upgrade", upgrade: "websocket", ...testApp.owner.headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on("error", reject)
        .end();
    });
    expect(postStatus).toBe(405);
  });

  test("the sockets of one account are limited", async () => {
    const session = await createSession(testApp, testApp.owner.id, "many");
    const sockets = await Promise.all(Array.from({ length: MAX_SOCKETS_PER_ACCOUNT }, () => openSocket(testApp.app.server, session)));
    expect(await openRejectedSocket(testApp.app.server, { ...session.headers })).toMatchObject({ status: 429, headers: { "retry-after": "30" } });
    await sockets[0]?.close();
    await waitUntil(() => sockets[0]?.closed !== null, "closing");
    const reopenedSocket = await openSocket(testApp.app.server, session);
    await Promise.all([reopenedSocket, ...sockets.slice(1)].map((socket) => socket.close()));
  });
});
