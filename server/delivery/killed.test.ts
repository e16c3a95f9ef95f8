/** Tests webhook delivery of the real service: killed at critical moments, and with separate workers. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportFaults } from "../testing/fault-counts.ts";
import type { Database } from "../db/database.ts";
import type { Caller } from "../testing/client.ts";
import { ENGINES, createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import { sendRawRequest } from "../testing/raw-socket.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { createOwner, type Environment, getFaultRounds, type ServiceProcess, startService, startWorkerProcess } from "../testing/service-process.ts";

/** The service creates its own SQLite database; for PostgreSQL the test provides one. */
describe.each(ENGINES)("the real service on %s", { timeout: 600_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let environment: Environment;
  let owner: Caller;
  let receiver: Receiver;
  /** The running service with the environment it was started with. */
  let service: (ServiceProcess & { extraEnvironment: Environment }) | null = null;
  let fileId: number;
  /** The endpoint of the current test; `afterEach` deletes it. */
  let endpoint: number;
  let secret: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    data = await createTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}) };
    owner = await createOwner(dataDir, environment);
    database = data.open();
  }, 180_000);
  beforeEach(() => void (receiver.requests.length = 0));
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
  /** Starts the service, or reuses a running one with the same settings, since a start takes a second. */
  async function start(extraEnvironment: Environment = {}): Promise<void> {
    if (service && JSON.stringify(service.extraEnvironment) === JSON.stringify(extraEnvironment)) return;
    await kill();
    service = { ...(await startService(dataDir, { ...environment, ...extraEnvironment })), extraEnvironment };
  }
  const base = (): string => service?.base ?? expect.fail("nothing runs");
  async function call(method: string, path: string, body?: object): Promise<{ status: number; json: any }> {
    return sendRawRequest(base(), owner, {
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
  }
  /** Creates a file to rename and an endpoint for `file.renamed`. */
  async function createFileAndEndpoint(path: string): Promise<void> {
    const [team] = (await call("POST", "/v1/teams/ls", {})).json.data;
    const root = (await call("POST", "/v1/account/projects/create", { name: `Songs for ${path}`, team_id: team.id })).json.data.root_folder_id;
    const uploaded = await sendRawRequest(base(), owner, {
      method: "PUT",
      path: `/v1/files/upload?parent_id=${root}&name=mix.txt`,
      body: Buffer.from("words"),
    });
    fileId = uploaded.json.file_id;
    const { json, status } = await call("POST", "/api/v2/webhook-endpoints", { url: `${receiver.base}${path}`, event_types: ["file.renamed"] });
    expect(status).toBe(200);
    ({ secret, id: endpoint } = json.data);
  }
  /** Renames the file and returns whether the service confirmed it. */
  const rename = async (name: string): Promise<boolean> => (await call("POST", "/v1/files/rename", { file_id: fileId, name })).status === 200;
  const deliveries = () => database.read.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpoint).orderBy("id").execute();
  async function until(description: string, isMet: () => Promise<boolean> | boolean, limitMs = 30_000): Promise<void> {
    const end = performance.now() + limitMs;
    while (!(await isMet())) {
      if (performance.now() > end) throw new Error(`It did not come about: ${description}`);
      await sleep(10);
    }
  }
  const allDelivered = () => until("all delivered", async () => (await deliveries()).every(({ state }) => state === "delivered"));

  test("delivers a rename with a valid signature, and with both secrets during a rotation", async () => {
    await start();
    await createFileAndEndpoint("/ok");
    expect(await rename("mix 2.txt")).toBe(true);
    await receiver.waitForRequests(1);
    const old = secret;
    const rotated = await call("POST", `/api/v2/webhook-endpoints/${endpoint}/secret`, {});
    await rename("mix 3.txt");
    await receiver.waitForRequests(2);
    const [first, second] = receiver.requests;
    expect(new Webhook(old).verify(first!.body, first!.headers)).toMatchObject({ object: "event", type: "file.renamed", data: { new_name: "mix 2.txt" } });
    for (const key of [old, rotated.json.data.secret as string])
      expect(new Webhook(key).verify(second!.body, second!.headers)).toMatchObject({ data: { new_name: "mix 3.txt" } });
    expect(() => new Webhook(rotated.json.data.secret as string).verify(first!.body, first!.headers)).toThrow(/matching signature/);
    // The caller's credentials never appear in the webhook request.
    expect(JSON.stringify(second!.headers)).not.toContain(owner.headers["authorization"]!.slice(7));
    await allDelivered();
  });

  test("returns the receiver's response to a test event", async () => {
    await start();
    await createFileAndEndpoint("/broken");
    const { status, json } = await call("POST", `/api/v2/webhook-endpoints/${endpoint}/test`, { event_type: "task.closed" });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      is_test: true,
      state: "failed",
      attempts: [{ outcome: "http", status: 500, response_body: "Something \u{FFFD} failed" }],
    });
    expect(receiver.requests.map(({ body }) => body)).toEqual([json.data.body]);
  });

  test("redelivers everything by Recover to a receiver that was down", async () => {
    await start();
    await createFileAndEndpoint("/down");
    receiver.handlers["/down"] = (response) => response.writeHead(410).end();
    const since = new Date(Date.now() - 1_000).toISOString();
    for (let count = 0; count < 5; count += 1) await rename(`down ${count}.txt`);
    await until("disabled", async () => (await call("GET", `/api/v2/webhook-endpoints/${endpoint}`)).json.data.disabled_reason === "gone");
    delete receiver.handlers["/down"];
    await call("PATCH", `/api/v2/webhook-endpoints/${endpoint}`, { enabled: true });
    const before = receiver.requests.length;
    const recovered = await call("POST", `/api/v2/webhook-endpoints/${endpoint}/recover`, { since });
    expect(recovered.json.data.count).toBe(5);
    await allDelivered();
    expect(new Set(receiver.requests.slice(before).map(({ body }) => JSON.parse(body).data.new_name as string)).size).toBe(5);
  });

  test("loses nothing when killed between commit, claim, send and acknowledgement, and repeats a delivery only unchanged", async () => {
    const ROUNDS = getFaultRounds(3);
    // The short form of the test skips the last mode, a different one on each engine.
    const MODES = engine === "sqlite" ? ["claim", "send", "ack", "commit"] : ["commit", "send", "ack", "claim"];
    await start();
    await createFileAndEndpoint("/hook");
    const confirmedNames: string[] = [];
    /** Set anew in each round. */
    let onArrival: () => void = () => {};
    let mode = "";
    receiver.handlers["/hook"] = async (response) => {
      if (mode === "send") return onArrival();
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
      if (mode === "ack") onArrival();
    };
    // On PostgreSQL a killed service's lease must expire, since another service might still hold it; this skips that minute.
    const expireLeases = () => database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).where("lease_until", "is not", null).execute());
    for (let round = 0; round < ROUNDS; round += 1) {
      mode = MODES[round % MODES.length]!;
      const arrival = Promise.withResolvers<void>();
      onArrival = arrival.resolve;
      const names = [0, 1, 2].map((index) => `round ${round} ${index}.txt`);
      const renames = Promise.all(
        names.map((name) =>
          rename(name).then(
            (confirmed) => void (confirmed && confirmedNames.push(name)),
            () => {},
          ),
        ),
      );
      // Kills at the receiver's next request or response (send, ack), after the confirmed renames (commit), or shortly after those (claim).
      if (mode === "send" || mode === "ack") await arrival.promise;
      else await renames;
      if (mode === "claim") await sleep(Math.random() * 12);
      await kill();
      await renames;
      await expireLeases();
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
    const newNameOf = (text: string) => JSON.parse(text).new_name as string;
    const expectedIds = new Set(events.map(({ id }) => id));
    const receivedNames = new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.new_name as string));
    const bodies = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.requests) {
      const id = headers["webhook-id"]!;
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    }
    const idsByName = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.requests) {
      const name = JSON.parse(body).data.new_name as string;
      idsByName.set(name, (idsByName.get(name) ?? new Set()).add(headers["webhook-id"]!));
    }
    reportFaults("killed: webhooks", engine, {
      broken: ROUNDS,
      acknowledged: confirmedNames.length,
      lost: confirmedNames.filter((name) => !receivedNames.has(name)).length,
      // The same change under another id, which a receiver could not recognize.
      doubled: [...idsByName.values()].filter(({ size }) => size > 1).length,
      repeated: receiver.requests.length - bodies.size,
    });
    expect(confirmedNames.length).toBeGreaterThanOrEqual(ROUNDS);
    for (const name of confirmedNames) expect(events.some(({ data: text }) => newNameOf(text) === name)).toBe(true);
    expect(new Set(bodies.keys())).toEqual(expectedIds);
    expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
    const duplicates = receiver.requests.length - expectedIds.size;
    // Every fourth round kills with a response outstanding, so duplicates must occur; otherwise the test killed nothing.
    expect(duplicates).toBeGreaterThanOrEqual(ROUNDS / 4);
    const attempts = await database.read
      .selectFrom("delivery_attempts")
      .innerJoin("deliveries", "deliveries.id", "delivery_attempts.delivery_id")
      .select(["outcome"])
      .where("endpoint_id", "=", endpoint)
      .execute();
    expect(attempts.filter(({ outcome }) => outcome === "ok")).toHaveLength(expectedIds.size);
    expect(attempts.filter(({ outcome }) => outcome === "interrupted").length).toBeGreaterThanOrEqual(ROUNDS / 4);
  });

  test("interrupts hanging attempts on SIGTERM and resumes them at the next start", async () => {
    await start();
    await createFileAndEndpoint("/hang");
    await rename("hung.txt");
    await receiver.waitForRequests(1);
    const { child } = service!;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    service = null;
    const [row] = await deliveries();
    expect(row).toMatchObject({ state: "pending", step: 0, attempts: 1, lease_until: null });
    const hang = receiver.handlers["/hang"]!;
    delete receiver.handlers["/hang"];
    await start();
    await allDelivered();
    receiver.handlers["/hang"] = hang;
  });

  test.runIf(engine === "postgres")("with DELIVERY=off two workers send each event once, and one takes over when the other is killed", async () => {
    await start({ DELIVERY: "off" });
    await createFileAndEndpoint("/hook");
    await rename("alone.txt");
    await sleep(1_500);
    expect(receiver.requests).toEqual([]);
    await expect(startWorkerProcess(join(dataDir, "elsewhere"), environment)).rejects.toThrow("did not start");
    const workers = [await startWorkerProcess(dataDir, environment), await startWorkerProcess(dataDir, environment)];
    try {
      await receiver.waitForRequests(1);
      await rename("woken.txt");
      await receiver.waitForRequests(2);
      for (let count = 0; count < 40; count += 1) await rename(`beside ${count}.txt`);
      await allDelivered();
      expect(receiver.requests).toHaveLength(42);
      expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(42);

      let isHolding = true;
      receiver.handlers["/hook"] = (response) => void (isHolding || response.end());
      await rename("held.txt");
      await receiver.waitForRequests(43);
      isHolding = false;
      const [{ lease_until } = { lease_until: null }] = (await deliveries()).filter(({ state }) => state === "pending");
      expect(lease_until).toBeGreaterThan(Date.now());
      await Promise.all(workers.map((worker) => worker.kill()));
      workers.push(await startWorkerProcess(dataDir, environment));
      // Skips the minute until the leases expire.
      await database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).where("lease_until", "is not", null).execute());
      await allDelivered();
      expect(receiver.requests).toHaveLength(44);
      expect(receiver.requests.at(-1)).toMatchObject({ body: receiver.requests.at(-2)!.body });
    } finally {
      delete receiver.handlers["/hook"];
      await Promise.all(workers.map((worker) => worker.kill()));
    }
  });
});
