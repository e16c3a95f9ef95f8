/** The real service, killed at the worst moments, and workers beside it. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import type { Caller } from "../testing/client.ts";
import { faultRounds } from "../testing/fault-rounds.ts";
import { ENGINES, newTestDatabase, type TestDatabase } from "../testing/engines.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { furnish, startService, startWorkerProcess, type Environment, type Service } from "../testing/service.ts";
import { ask } from "../testing/wire.ts";

/** The service makes its own SQLite database; PostgreSQL is handed to it. */
describe.each(ENGINES)("the real service on %s", { timeout: 600_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let environment: Environment;
  let owner: Caller;
  let receiver: Receiver;
  /** What runs, with what it was started with. */
  let service: (Service & { more: Environment }) | null = null;
  let fileId: number;
  /** The one of this test: who made it before is gone by then. */
  let endpoint: number;
  let secret: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    data = await newTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}) };
    owner = await furnish(dataDir, environment);
    database = data.open();
  }, 180_000);
  beforeEach(() => void (receiver.got.length = 0));
  afterEach(async () => {
    await call("DELETE", `/api/v2/webhook-endpoints/${endpoint}`).catch(() => undefined);
  });
  afterAll(async () => {
    await kill();
    await receiver.close();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  async function kill(): Promise<void> {
    await service?.kill();
    service = null;
  }
  /** Starting takes a second, so one that was left running with the same settings goes on. */
  async function start(more: Environment = {}): Promise<void> {
    if (service && JSON.stringify(service.more) === JSON.stringify(more)) return;
    await kill();
    service = { ...(await startService(dataDir, { ...environment, ...more })), more };
  }
  const base = (): string => service?.base ?? expect.fail("nothing runs");
  async function call(method: string, path: string, body?: object): Promise<{ status: number; json: any }> {
    return ask(base(), owner, {
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
  }
  /** A file that can be renamed, and an endpoint that wants to know. */
  async function furnishMore(path: string): Promise<void> {
    const [team] = (await call("POST", "/v1/teams/ls", {})).json.data;
    const root = (await call("POST", "/v1/account/projects/create", { name: `Songs for ${path}`, team_id: team.id })).json.data.root_folder_id;
    const uploaded = await ask(base(), owner, { method: "PUT", path: `/v1/files/upload?parent_id=${root}&name=mix.txt`, body: Buffer.from("words") });
    fileId = uploaded.json.file_id;
    const { json, status } = await call("POST", "/api/v2/webhook-endpoints", { url: `${receiver.base}${path}`, event_types: ["file.renamed"] });
    expect(status).toBe(200);
    ({ secret, id: endpoint } = json.data);
  }
  /** Whether it was confirmed. */
  const rename = async (name: string): Promise<boolean> => (await call("POST", "/v1/files/rename", { file_id: fileId, name })).status === 200;
  const deliveries = () => database.read.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpoint).orderBy("id").execute();
  async function until(what: string, found: () => Promise<boolean> | boolean, limitMs = 30_000): Promise<void> {
    const end = performance.now() + limitMs;
    while (!(await found())) {
      if (performance.now() > end) throw new Error(`It did not come about: ${what}`);
      await sleep(10);
    }
  }
  const allDelivered = () => until("all delivered", async () => (await deliveries()).every(({ state }) => state === "delivered"));

  test("a rename arrives, genuine, and under both secrets while they change", async () => {
    await start();
    await furnishMore("/ok");
    expect(await rename("mix 2.txt")).toBe(true);
    await receiver.until(1);
    const old = secret;
    const rotated = await call("POST", `/api/v2/webhook-endpoints/${endpoint}/secret`, {});
    await rename("mix 3.txt");
    await receiver.until(2);
    const [first, second] = receiver.got;
    expect(new Webhook(old).verify(first!.body, first!.headers)).toMatchObject({ object: "event", type: "file.renamed", data: { new_name: "mix 2.txt" } });
    for (const key of [old, rotated.json.data.secret as string])
      expect(new Webhook(key).verify(second!.body, second!.headers)).toMatchObject({ data: { new_name: "mix 3.txt" } });
    expect(() => new Webhook(rotated.json.data.secret as string).verify(first!.body, first!.headers)).toThrow(/matching signature/);
    // The sign-in of whoever asks has no part in what is sent.
    expect(JSON.stringify(second!.headers)).not.toContain(owner.headers["authorization"]!.slice(7));
    await allDelivered();
  });

  test("a test event is answered with what came back", async () => {
    await start();
    await furnishMore("/broken");
    const { status, json } = await call("POST", `/api/v2/webhook-endpoints/${endpoint}/test`, { event_type: "task.closed" });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      is_test: true,
      state: "failed",
      attempts: [{ outcome: "http", status: 500, response_body: "Something \u{FFFD} failed" }],
    });
    expect(receiver.got.map(({ body }) => body)).toEqual([json.data.body]);
  });

  test("a receiver that was down gets everything by Recover", async () => {
    await start();
    await furnishMore("/down");
    receiver.answers["/down"] = (response) => response.writeHead(410).end();
    const since = new Date(Date.now() - 1_000).toISOString();
    for (let count = 0; count < 5; count += 1) await rename(`down ${count}.txt`);
    await until("disabled", async () => (await call("GET", `/api/v2/webhook-endpoints/${endpoint}`)).json.data.disabled_reason === "gone");
    delete receiver.answers["/down"];
    await call("PATCH", `/api/v2/webhook-endpoints/${endpoint}`, { enabled: true });
    const before = receiver.got.length;
    const recovered = await call("POST", `/api/v2/webhook-endpoints/${endpoint}/recover`, { since });
    expect(recovered.json.data.count).toBe(5);
    await allDelivered();
    expect(new Set(receiver.got.slice(before).map(({ body }) => JSON.parse(body).data.new_name as string)).size).toBe(5);
  });

  test("killed again and again between commit, claim, send and ack: nothing is lost, what comes twice is the same", async () => {
    const ROUNDS = faultRounds(3);
    // The short form leaves one out on each engine.
    const MODES = engine === "sqlite" ? ["claim", "send", "ack", "commit"] : ["commit", "send", "ack", "claim"];
    await start();
    await furnishMore("/hook");
    const acknowledged: string[] = [];
    /** Settable per round. */
    let arrived: () => void = () => {};
    let mode = "";
    receiver.answers["/hook"] = async (response) => {
      if (mode === "send") return arrived();
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
      if (mode === "ack") arrived();
    };
    // On PostgreSQL another service might still be at it, so a try of the killed one is waited for: as if a minute had passed.
    const endLeases = () => database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).where("lease_until", "is not", null).execute());
    for (let round = 0; round < ROUNDS; round += 1) {
      mode = MODES[round % MODES.length]!;
      const reached = Promise.withResolvers<void>();
      arrived = reached.resolve;
      const names = [0, 1, 2].map((index) => `round ${round} ${index}.txt`);
      const renamed = Promise.all(
        names.map((name) =>
          rename(name).then(
            (confirmed) => void (confirmed && acknowledged.push(name)),
            () => {},
          ),
        ),
      );
      // The next answer of the receiver, the first change that is confirmed, or any moment after that.
      if (mode === "send" || mode === "ack") await reached.promise;
      else await renamed;
      if (mode === "claim") await sleep(Math.random() * 12);
      await kill();
      await renamed;
      await endLeases();
      await start();
    }
    mode = "";
    await allDelivered();

    const events = await database.read
      .selectFrom("outbound_events")
      .innerJoin("deliveries", "deliveries.event_id", "outbound_events.id")
      .selectAll("outbound_events")
      .where("endpoint_id", "=", endpoint)
      .execute();
    const nameOf = (text: string) => JSON.parse(text).new_name as string;
    const wanted = new Set(events.map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS);
    for (const name of acknowledged) expect(events.some(({ data: text }) => nameOf(text) === name)).toBe(true);
    const bodies = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.got) {
      const id = headers["webhook-id"]!;
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    }
    expect(new Set(bodies.keys())).toEqual(wanted);
    expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
    const duplicates = receiver.got.length - wanted.size;
    console.log(`${engine}: ${ROUNDS} rounds, ${wanted.size} events (${acknowledged.length} confirmed), 0 lost, ${duplicates} sent again`);
    // Every fourth round is killed with an answer outstanding, so some must have come twice: else the test killed nothing.
    expect(duplicates).toBeGreaterThanOrEqual(ROUNDS / 4);
    const attempts = await database.read
      .selectFrom("delivery_attempts")
      .innerJoin("deliveries", "deliveries.id", "delivery_attempts.delivery_id")
      .select(["outcome"])
      .where("endpoint_id", "=", endpoint)
      .execute();
    expect(attempts.filter(({ outcome }) => outcome === "ok")).toHaveLength(wanted.size);
    expect(attempts.filter(({ outcome }) => outcome === "interrupted").length).toBeGreaterThanOrEqual(ROUNDS / 4);
  });

  test("stopped in good order, it breaks off what hangs and goes on at its next start", async () => {
    await start();
    await furnishMore("/hang");
    await rename("hung.txt");
    await receiver.until(1);
    const { child } = service!;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    expect(await gone).toEqual([0, null]);
    service = null;
    const [row] = await deliveries();
    expect(row).toMatchObject({ state: "pending", step: 0, attempts: 1, lease_until: null });
    const hang = receiver.answers["/hang"]!;
    delete receiver.answers["/hang"];
    await start();
    await allDelivered();
    receiver.answers["/hang"] = hang;
  });

  test.runIf(engine === "postgres")("two workers beside a service that sends nothing: each event once; one that is killed is replaced", async () => {
    await start({ DELIVERY: "off" });
    await furnishMore("/hook");
    await rename("alone.txt");
    await sleep(1_500);
    expect(receiver.got).toEqual([]);
    await expect(startWorkerProcess(join(dataDir, "elsewhere"), environment)).rejects.toThrow("did not start");
    const workers = [await startWorkerProcess(dataDir, environment), await startWorkerProcess(dataDir, environment)];
    try {
      await receiver.until(1);
      await rename("woken.txt");
      await receiver.until(2);
      for (let count = 0; count < 40; count += 1) await rename(`beside ${count}.txt`);
      await allDelivered();
      expect(receiver.got).toHaveLength(42);
      expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(42);

      let hold = true;
      receiver.answers["/hook"] = (response) => void (hold || response.end());
      await rename("held.txt");
      await receiver.until(43);
      hold = false;
      const [{ lease_until } = { lease_until: null }] = (await deliveries()).filter(({ state }) => state === "pending");
      expect(lease_until).toBeGreaterThan(Date.now());
      await Promise.all(workers.map((worker) => worker.kill()));
      workers.push(await startWorkerProcess(dataDir, environment));
      // As if a minute had passed.
      await database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).where("lease_until", "is not", null).execute());
      await allDelivered();
      expect(receiver.got).toHaveLength(44);
      expect(receiver.got.at(-1)).toMatchObject({ body: receiver.got.at(-2)!.body });
    } finally {
      delete receiver.answers["/hook"];
      await Promise.all(workers.map((worker) => worker.kill()));
    }
  });
});
