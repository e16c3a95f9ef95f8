/** Tests with raw sockets that nobody keeps others of a network out, with connections or behind a proxy, and that every route is paced. */
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import { ANONYMOUS, type Caller } from "../testing/client.ts";
import { createFixtures } from "../testing/fixtures.ts";
import { openSocket, waitUntil } from "../testing/live.ts";
import { PASSWORD, setUpOwner, type Person } from "../testing/people.ts";
import { connectRaw, listen as listenOnLoopback, type RawConnection, unfinishedRequest } from "../testing/raw-socket.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../testing/test-app.ts";
import { listen } from "./server.ts";

const SERVICE = "GET /api/v2/service HTTP/1.1\r\nHost: talkback.test:3000\r\n\r\n";
const statusOf = ({ received }: RawConnection): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
const waitForStatus = async (connection: RawConnection): Promise<number> => {
  await waitUntil(() => statusOf(connection) > 0 || connection.isClosed(), "a response");
  return statusOf(connection);
};
const signInRequest = (headers: Record<string, string> = {}) => unfinishedRequest("POST", session.signIn.path, headers);
const get = (path: string, { headers }: Pick<Caller, "headers">) => unfinishedRequest("GET", path, { ...headers, "Content-Length": "0" }, { first: "" });

async function start(options: TestAppOptions): Promise<{ testApp: TestApp; base: string; owner: Person; log: string[] }> {
  const log: string[] = [];
  const testApp = await startTestApp("sqlite", { onLog: (line) => void log.push(line), ...options });
  const owner = await setUpOwner(testApp);
  return { testApp, base: await listenOnLoopback(testApp), owner, log };
}

describe("connections", { timeout: 30_000 }, () => {
  it("a new connection of a full network ends the oldest one on which nobody signed in, and is answered", async () => {
    const { testApp, base, owner, log } = await start({ serverLimits: { connectionsPerNetwork: 3 } });
    const live = await openSocket(testApp.app.server, owner);
    const signedIn = connectRaw(base, get(session.getSession.path, owner));
    expect(await waitForStatus(signedIn)).toBe(200);
    const held: RawConnection[] = [];
    for (let count = 0; count < 3; count += 1) {
      held.push(connectRaw(base, SERVICE));
      expect(await waitForStatus(held[count] as RawConnection)).toBe(200);
    }
    const elsewhere = connectRaw(base, SERVICE, "127.0.0.2");
    expect(await waitForStatus(elsewhere)).toBe(200);
    expect(held.map((connection) => connection.isClosed())).toEqual([false, false, false]);
    for (let count = 0; count < 2; count += 1) {
      const body = JSON.stringify({ login: "owner", password: PASSWORD });
      const further = connectRaw(base, unfinishedRequest("POST", session.signIn.path, {}, { length: body.length, first: body }));
      expect(await waitForStatus(further)).toBe(200);
      held.push(further);
      await held[count]?.closed;
    }
    expect([...held.slice(2), signedIn, elsewhere].some((connection) => connection.isClosed())).toBe(false);
    expect(live.closed).toBeNull();
    expect(log.filter((line) => line.includes("CONNECTIONS_PER_NETWORK"))).toHaveLength(1);
    [...held, signedIn, elsewhere].forEach(({ socket }) => socket.destroy());
    await live.close();
    await testApp.close();
  });

  it("those of an account beyond its share count for its network", async () => {
    const { testApp, base, owner } = await start({ serverLimits: { connectionsPerNetwork: 1, connectionsPerAccount: 2 } });
    const connections: RawConnection[] = [];
    for (let count = 0; count < 4; count += 1) {
      const connection = connectRaw(base, get(session.getSession.path, owner));
      expect(await waitForStatus(connection)).toBe(200);
      connections.push(connection);
    }
    await connections[2]?.closed;
    expect(connections.map((connection) => connection.isClosed())).toEqual([false, false, true, false]);
    connections.forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("those of an organization beyond its share count for their network, however many accounts have them", async () => {
    const { testApp, owner, admin, member, guest, neighbor, foreignOwner } = await createFixtures("sqlite", {
      serverLimits: { connectionsPerNetwork: 1, connectionsPerOrganization: 3 },
    });
    const base = await listenOnLoopback(testApp);
    const connections: RawConnection[] = [];
    for (const person of [admin, member, guest, neighbor, foreignOwner, owner]) {
      const connection = connectRaw(base, get(session.getSession.path, person));
      expect(await waitForStatus(connection)).toBe(200);
      connections.push(connection);
    }
    await connections[3]?.closed;
    expect(connections.map((connection) => connection.isClosed())).toEqual([false, false, false, true, false, false]);
    connections.forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("all addresses of a name share the limits of the one server, and take live connections", async () => {
    const testApp = await startTestApp("sqlite", { serverLimits: { connectionsPerNetwork: 2 } });
    await listen(testApp.app.server, { host: "localhost", port: 0 }, async () => ["127.0.0.1", "127.0.0.13"]);
    const owner = await setUpOwner(testApp);
    const { port } = testApp.app.server.server.address() as AddressInfo;
    const held: RawConnection[] = [];
    for (const address of ["127.0.0.1", "127.0.0.13", "127.0.0.13"]) {
      const connection = connectRaw(`http://${address}:${port}`, SERVICE);
      expect(await waitForStatus(connection)).toBe(200);
      held.push(connection);
    }
    await held[0]?.closed;
    expect(held.map((connection) => connection.isClosed())).toEqual([true, false, false]);
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": btoa("0123456789abcdef") };
    const live = connectRaw(
      `http://127.0.0.13:${port}`,
      unfinishedRequest("GET", "/api/v2/live", { ...owner.headers, ...upgrade, "Content-Length": "0" }, { first: "" }),
    );
    expect(await waitForStatus(live)).toBe(101);
    [...held, live].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });
});

it.each([
  { kind: "direct connections", proxies: "" },
  { kind: "requests behind a proxy", proxies: "127.0.0.1" },
])(
  "with as many $kind as the service takes, a new one is answered, and the account that has most in the organization that has most loses its oldest one",
  async ({ proxies }) => {
    const log: string[] = [];
    const { testApp, owner, member, neighbor, foreignOwner, foreignMember } = await createFixtures("sqlite", {
      environment: { TRUST_PROXY: proxies },
      serverLimits: { connectionsInTotal: 8 },
      onLog: (line) => void log.push(line),
    });
    const base = await listenOnLoopback(testApp);
    const held: RawConnection[] = [];
    const stranger: Caller = { name: "stranger", headers: {} };
    for (const caller of [foreignOwner, neighbor, foreignMember, member, member, neighbor, member, stranger]) {
      const headers = { ...caller.headers, "X-Forwarded-For": `198.51.100.${held.length + 1}` };
      const connection = connectRaw(base, get(session.getService.path, { headers }) + unfinishedRequest("POST", teams.listTeams.path, headers));
      held.push(connection);
      // These responses show that the unfinished request has arrived and counts for its account.
      expect(await waitForStatus(connection)).toBe(200);
      expect((await testApp.call(owner, session.getSession)).status).toBe(200);
    }
    const newcomers: RawConnection[] = [];
    for (const index of [3, 1]) {
      const newcomer = connectRaw(base, get(session.getService.path, { headers: { "X-Forwarded-For": "203.0.113.5" } }));
      newcomers.push(newcomer);
      expect(await waitForStatus(newcomer)).toBe(200);
      await held[index]?.closed;
    }
    expect(held.flatMap((connection, index) => (connection.isClosed() ? [index] : []))).toEqual([1, 3]);
    expect(log.filter((line) => line.includes("the oldest ones end"))).toHaveLength(1);
    [...held, ...newcomers].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  },
  60_000,
);

describe("behind a trusted proxy", { timeout: 30_000 }, () => {
  const forwardedFor = (address: string) => ({ "X-Forwarded-For": address });

  it.each([
    { kind: "an IPv4 address", limit: 2, address: () => "198.51.100.8" },
    { kind: "a /64", limit: 2, address: (index: number) => `2001:db8:1:1::${index + 1}` },
    { kind: "a /56", limit: 4, address: (index: number) => `2001:db8:1:${index + 1}::1` },
    { kind: "a /48", limit: 8, address: (index: number) => `2001:db8:1:${index + 1}00::1` },
  ])("the requests under way of $kind are limited: a further one ends the oldest", async ({ limit, address }) => {
    const { testApp, base, owner } = await start({ environment: { TRUST_PROXY: "127.0.0.1" }, serverLimits: { connectionsPerNetwork: 2 } });
    // Counts for its account.
    const signedIn = connectRaw(base, unfinishedRequest("POST", teams.listTeams.path, { ...owner.headers, ...forwardedFor(address(0)) }));
    const elsewhere = connectRaw(base, signInRequest(forwardedFor("203.0.113.5")));
    const held: RawConnection[] = [];
    for (let index = 0; index < limit + 1; index += 1) {
      held.push(connectRaw(base, signInRequest(forwardedFor(address(index)))));
      // The response on another connection shows that the request has arrived.
      expect(await waitForStatus(connectRaw(base, SERVICE))).toBe(200);
    }
    await held[0]?.closed;
    expect(held.map((connection) => connection.isClosed())).toEqual([true, ...Array<boolean>(limit).fill(false)]);
    expect([signedIn.isClosed(), elsewhere.isClosed()]).toEqual([false, false]);
    [...held, signedIn, elsewhere].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("a request counts until its body has arrived, also if it was answered before", async () => {
    const { testApp, base } = await start({ environment: { TRUST_PROXY: "127.0.0.1" }, serverLimits: { connectionsPerNetwork: 2, lingerMs: 60_000 } });
    const held: RawConnection[] = [];
    for (let count = 0; count < 3; count += 1) {
      held.push(connectRaw(base, unfinishedRequest("POST", teams.listTeams.path, forwardedFor("198.51.100.8"))));
      expect(await waitForStatus(held[count] as RawConnection)).toBe(401);
    }
    await held[0]?.closed;
    expect(held.map((connection) => connection.isClosed())).toEqual([true, false, false]);
    held.forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });

  it("unfinished bodies are limited per forwarded network, not for who is signed in", async () => {
    const { testApp, base, owner } = await start({ environment: { TRUST_PROXY: "127.0.0.1" }, serverLimits: { unfinishedPerNetwork: 3 } });
    const held = Array.from({ length: 3 }, (_, index) => connectRaw(base, signInRequest(forwardedFor(`198.51.100.8:${4_000 + index}`))));
    await waitUntil(() => held.every(({ socket }) => socket.bytesWritten > 0), "connecting");
    expect(await waitForStatus(connectRaw(base, SERVICE))).toBe(200);
    const refused = connectRaw(base, signInRequest(forwardedFor("198.51.100.8")));
    expect(await waitForStatus(refused)).toBe(429);
    expect(refused.received).toMatch(/retry-after: 5/i);
    const other = connectRaw(base, unfinishedRequest("POST", session.signIn.path, forwardedFor("198.51.100.9"), { length: 2, first: "{}" }));
    expect(await waitForStatus(other)).toBe(400);
    const headers = { ...owner.headers, ...forwardedFor("198.51.100.8") };
    const signedIn = connectRaw(base, unfinishedRequest("POST", teams.listTeams.path, headers, { length: 2, first: "{}" }));
    expect(await waitForStatus(signedIn)).toBe(200);
    [...held, refused, other, signedIn].forEach(({ socket }) => socket.destroy());
    await testApp.close();
  });
});

const ORIGIN = "https://tools.example";
const PREFLIGHT = { origin: ORIGIN, "access-control-request-method": "POST" };

it.each([
  "GET /openapi.json",
  "GET /docs",
  "GET /docs/scalar.js",
  "GET /docs/style.css",
  "GET /",
  "GET /assets/none.js",
  "GET /api/v2/none",
  "POST /none",
  "PUT /v1/teams/ls",
  "OPTIONS /v1/teams/ls",
])(
  "%s takes from its network's budget, and from the account's once that is used up",
  async (route) => {
    const { testApp, owner } = await start({ environment: { RATE_LIMIT: "2", CORS_ORIGINS: ORIGIN } });
    const [method, url] = route.split(" ") as ["GET" | "OPTIONS", string];
    const send = (caller: Caller) => testApp.send(caller, { method, url, headers: method === "OPTIONS" ? PREFLIGHT : {}, remoteAddress: "203.0.113.5" });
    const { status: usual } = await send(ANONYMOUS);
    let refused = await send(ANONYMOUS);
    for (let count = 0; count < 50 && refused.status === usual; count += 1) refused = await send(ANONYMOUS);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await send(owner)).status).toBe(usual);
    await testApp.close();
  },
  30_000,
);
