import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { liveTicket } from "../../../contract/operations/session.ts";
import { ENGINES } from "../../testing/engines.ts";
import { freshSession, tokenOf } from "../../testing/people.ts";
import { SOCKETS_PER_ACCOUNT } from "./live.ts";
import { openSocket, refusalOf, startLiveWorld, until, type LiveWorld } from "../../testing/live.ts";

describe.each(ENGINES)("opening the live channel on %s", { timeout: 30_000 }, (engine) => {
  let world: LiveWorld;
  beforeAll(async () => {
    world = await startLiveWorld(engine);
  });
  afterAll(() => world.close());

  test("without authorization it is a 401 problem before the upgrade", async () => {
    const refusal = await refusalOf(world.app.server, {});
    expect(refusal).toMatchObject({
      status: 401,
      body: { object: "error", status: 401 },
      headers: { "www-authenticate": expect.stringContaining("Bearer") as string },
    });
    expect(refusal.headers["content-type"]).toContain("application/problem+json");
  });

  test("a cookie opens it from our own page only", async () => {
    const { cookie = "", origin = "" } = world.owner.headers;
    expect((await refusalOf(world.app.server, { cookie, origin: "https://evil.example" })).status).toBe(403);
    expect((await refusalOf(world.app.server, { cookie, origin: "null" })).status).toBe(403);
    expect((await refusalOf(world.app.server, { cookie })).status).toBe(403);
    const socket = await openSocket(world.app.server, { headers: { cookie, origin } });
    await socket.close();
  });

  test("a bearer token opens it, a wrong or revoked one does not", async () => {
    const token = await tokenOf(world, world.owner);
    const socket = await openSocket(world.app.server, token);
    await socket.close();
    expect((await refusalOf(world.app.server, { authorization: "Bearer tb_pat_00000000_nothing" })).status).toBe(401);
  });

  test("a ticket opens it once, and not after it has expired", async () => {
    const token = await tokenOf(world, world.owner, ["chat:read", "account:read"]);
    const { ticket } = (await world.call(token, liveTicket)).answer.data;
    const socket = await openSocket(world.app.server, { headers: { origin: "https://elsewhere.example" } }, `?ticket=${ticket}`);
    expect(await socket.subscribe(`account:${world.owner.id}`)).toHaveProperty("subscribed");
    await socket.close();
    expect((await refusalOf(world.app.server, {}, `?ticket=${ticket}`)).status).toBe(401);

    const late = (await world.call(token, liveTicket)).answer.data.ticket;
    world.clock.pass(31_000);
    expect((await refusalOf(world.app.server, {}, `?ticket=${late}`)).status).toBe(401);
    expect((await refusalOf(world.app.server, {}, "?ticket=")).status).toBe(400);
    expect((await refusalOf(world.app.server, {}, `?ticket=${"x".repeat(300)}`)).status).toBe(400);
    // A ticket that does not hold is not made up for by a cookie.
    expect((await refusalOf(world.app.server, { ...world.owner.headers }, "?ticket=guess")).status).toBe(401);
  });

  test("an ordinary request is told what the address is for, and other addresses take no sockets", async () => {
    const plain = await world.send(world.owner, { method: "GET", url: "/api/v2/live" });
    expect(plain.problem).toMatchObject({ status: 400, detail: expect.stringContaining("websocket") as string });
    expect((await refusalOf(world.app.server, { ...world.owner.headers }, "", "/api/v2/service")).status).toBe(200);
    const posted = await new Promise<number>((resolve, reject) => {
      const { port } = world.app.server.server.address() as AddressInfo;
      request(
        { port, host: "127.0.0.1", method: "POST", path: "/api/v2/live", headers: { connection: "upgrade", upgrade: "websocket", ...world.owner.headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on("error", reject)
        .end();
    });
    expect(posted).toBe(404);
  });

  test("one account gets so many sockets and no more", async () => {
    const session = await freshSession(world, world.owner.id, "many");
    const sockets = await Promise.all(Array.from({ length: SOCKETS_PER_ACCOUNT }, () => openSocket(world.app.server, session)));
    expect(await refusalOf(world.app.server, { ...session.headers })).toMatchObject({ status: 429, headers: { "retry-after": "30" } });
    await sockets[0]?.close();
    await until(() => sockets[0]?.closed !== null, "closing");
    const again = await openSocket(world.app.server, session);
    await Promise.all([again, ...sockets.slice(1)].map((socket) => socket.close()));
  });
});
