/** Tests that the service survives a locked database, a full disk and a lost database: clear errors, nothing stored partially. */
import { sql } from "kysely";
import { spawn, type ChildProcess } from "node:child_process";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import * as chat from "../../contract/operations/chat.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as session from "../../contract/operations/session.ts";
import { MINUTE } from "../lib/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { runOutsideTransaction } from "../testing/outside-transaction.ts";
import { openPostgresDatabase } from "./database.ts";

/** Starts another process that holds the lock until it is killed. */
async function holdLock(folder: string): Promise<ChildProcess> {
  const program = `
    const { DatabaseSync } = require("node:sqlite");
    new DatabaseSync(process.argv[1] + "/talkback.db").exec("BEGIN IMMEDIATE");
    console.log("locked");
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["-e", program, folder], { stdio: ["ignore", "pipe", "inherit"] });
  // The test run would wait for a process that a failed test leaves.
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}
const kill = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });

const send = ({ testApp, member, home }: Fixtures, body = "x") => testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body } });
const loadBodies = async ({ testApp, home }: Fixtures) =>
  (await testApp.database.read.selectFrom("messages").select("body").where("project_id", "=", home.project).orderBy("id").execute()).map(({ body }) => body);

describe("SQLite", { timeout: 60_000 }, () => {
  it("while another process holds the lock, concurrent writes return 503 after one wait, reads succeed, and the service recovers", async () => {
    const fixtures = await createFixtures("sqlite", { maxWaitMs: 1_500 });
    const before = await loadBodies(fixtures);
    const child = await holdLock(fixtures.testApp.testDatabase.location);
    const startedAt = performance.now();
    const firstWrite = send(fixtures);
    let hasWriteEnded = false;
    void firstWrite.then(() => (hasWriteEnded = true));
    // `last_seen_at` is due too: its write must not delay requests that only read.
    fixtures.testApp.clock.advance(2 * MINUTE);
    expect((await fixtures.testApp.call(fixtures.member, session.getSession)).status).toBe(200);
    expect((await fixtures.testApp.call(fixtures.member, projects.listProjects)).status).toBe(200);
    expect(hasWriteEnded).toBe(false);
    const first = await firstWrite;
    const oneWait = performance.now() - startedAt;
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => send(fixtures)));
    // Together as long as one, not five times; compared with the wait of one on the same machine.
    expect(performance.now() - startedAt).toBeLessThan(4 * oneWait);
    for (const reply of [first, ...replies]) {
      expect(reply.status).toBe(503);
      expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
      expect(reply.problem.title).toBe("Temporarily unavailable");
    }
    await kill(child);
    expect(await loadBodies(fixtures)).toEqual(before);
    expect((await send(fixtures, "after the lock")).status).toBe(200);
    await fixtures.testApp.close();
  });
  it("waits for a short lock without an error", async () => {
    const fixtures = await createFixtures("sqlite");
    const child = await holdLock(fixtures.testApp.testDatabase.location);
    const reply = send(fixtures, "patient");
    setTimeout(() => void kill(child), 300);
    expect((await reply).status).toBe(200);
    await fixtures.testApp.close();
  });
  it("on a full disk writes return 507 and store nothing, reads succeed, and writes succeed once there is space", async () => {
    const fixtures = await createFixtures("sqlite");
    const { testApp, member } = fixtures;
    const before = await loadBodies(fixtures);
    const setPageLimit = (pages: number) => testApp.database.write((tx) => sql.raw(`PRAGMA max_page_count=${pages}`).execute(tx));
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(testApp.database.read);
    await setPageLimit((rows[0]?.page_count ?? 0) + 30);
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) statuses.push((await send(fixtures, `${count} `.repeat(3_000))).status);
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    expect(statuses.slice(-10)).toEqual(Array(10).fill(507));
    const refused = await send(fixtures, "y".repeat(10_000));
    expect(refused.problem).toMatchObject({ status: 507, title: "No space left" });
    testApp.clock.advance(2 * MINUTE);
    expect((await testApp.call(member, session.getSession)).status).toBe(200);
    expect(await loadBodies(fixtures)).toHaveLength(before.length + statuses.filter((status) => status === 200).length);
    await setPageLimit(1_000_000);
    expect((await send(fixtures, "space again")).status).toBe(200);
    const events = await testApp.database.read
      .selectFrom("events")
      .select("seq")
      .where("topic", "=", `project:${fixtures.home.project}`)
      .orderBy("seq")
      .execute();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    await testApp.close();
  });
});

/** Starts a TCP proxy to PostgreSQL that can be cut. */
async function startProxy(url: URL): Promise<{ url: string; cut(): Promise<void>; restore(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer((client) => {
        const upstream = connect(Number(url.port || 5432), url.hostname);
        for (const [from, to] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          sockets.add(from);
          from.on("error", () => {}).on("close", () => to.destroy());
          from.pipe(to);
        }
      });
      server.listen(port, "127.0.0.1", () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  await listen();
  const proxiedUrl = new URL(url);
  proxiedUrl.hostname = "127.0.0.1";
  proxiedUrl.port = String(port);
  return {
    url: proxiedUrl.href,
    restore: listen,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
        sockets.clear();
      }),
  };
}

describe.runIf(ENGINES.includes("postgres"))("PostgreSQL", { timeout: 60_000 }, () => {
  it("while the database is unreachable requests return 503 at once and store nothing, and the service recovers by itself", async () => {
    let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
    const fixtures = await createFixtures("postgres", {
      connect: async (url, options) => {
        proxy = await startProxy(new URL(url));
        return openPostgresDatabase(proxy.url, options);
      },
    });
    const before = await loadBodies(fixtures);
    const inFlight = Promise.all(Array.from({ length: 20 }, () => send(fixtures, "under way")));
    await proxy?.cut();
    for (const { status } of await inFlight) expect([200, 503]).toContain(status);
    const refused = await send(fixtures, "lost");
    expect(refused.problem).toMatchObject({ status: 503, title: "Temporarily unavailable" });
    expect(refused.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres/);
    await proxy?.restore();
    expect((await send(fixtures, "back")).status).toBe(200);
    const after = await loadBodies(fixtures);
    expect(after).not.toContain("lost");
    expect(after.slice(before.length).at(-1)).toBe("back");
    await fixtures.testApp.close();
    await proxy?.cut();
  });
  it("while another session holds a row a write returns 503 after the wait, and then succeeds", async () => {
    const fixtures = await createFixtures("postgres", { maxWaitMs: 400 });
    const other = fixtures.testApp.testDatabase.open();
    await other.write(async (tx) => {
      await tx
        .updateTable("topics")
        .set(({ eb }) => ({ seq: eb("seq", "+", 0) }))
        .where("topic", "=", `project:${fixtures.apart.project}`)
        .execute();
      const reply = await runOutsideTransaction(() =>
        fixtures.testApp.call(fixtures.owner, chat.sendMessage, { body: { project_id: fixtures.apart.project, body: "held" } }),
      );
      expect(reply.status).toBe(503);
    });
    await other.close();
    expect((await fixtures.testApp.call(fixtures.owner, chat.sendMessage, { body: { project_id: fixtures.apart.project, body: "free" } })).status).toBe(200);
    await fixtures.testApp.close();
  });
});
