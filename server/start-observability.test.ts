/** Tests what monitors see of a real app, who may see it, and that no secret is in it, whichever way it came in. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../bin/testing/service-start.ts";
import * as chat from "../contract/operations/chat.ts";
import * as comments from "../contract/operations/comments.ts";
import * as session from "../contract/operations/session.ts";
import * as webhooks from "../contract/operations/webhooks.ts";
import { createLog } from "./lib/log.ts";
import { type Observability, startObservability } from "./start-observability.ts";
import { ANONYMOUS } from "./testing/client.ts";
import { type Collector, startCollector } from "./testing/collector.ts";
import { ENGINES } from "./testing/engines.ts";
import { createFixtures, type Fixtures } from "./testing/fixtures.ts";
import { openSocket } from "./testing/live.ts";
import { createApiToken, PASSWORD } from "./testing/people.ts";
import { startReceiver, type Receiver } from "./testing/receiver.ts";
import { startService, startWorkerProcess } from "./testing/service-process.ts";

const METRICS_TOKEN = "metrics-token-0123456789";
const PROXY = "10.1.2.3";

/** Texts of which nothing may be seen from outside, by the way in which they come in. */
const SECRETS = {
  message: "TopSecretMessageText",
  comment: "TopSecretCommentText",
  wrongPassword: "TopSecretPassword",
  invalidToken: "TopSecretBearerToken",
  cookie: "TopSecretCookieValue",
  query: "TopSecretQueryValue",
  path: "TopSecretPathSegment",
  mediaToken: "TopSecretMediaToken",
  header: "TopSecretHeaderValue",
  requestId: "TopSecretRequestId",
  idempotencyKey: "TopSecretIdempotencyKey",
  webhookPath: "TopSecretWebhookPath",
  webhookQuery: "TopSecretWebhookQuery",
  invalidBody: "TopSecretInvalidBody",
  responseOfReceiver: "TopSecretReceiverResponse",
};

describe.each(ENGINES)("on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let collector: Collector;
  let receiver: Receiver;
  let observability: Observability;
  const lines: string[] = [];
  const entries = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  beforeAll(async () => {
    lines.length = 0;
    collector = await startCollector();
    receiver = await startReceiver();
    const log = createLog({ level: "trace", stream: { write: (line) => void lines.push(line) } });
    fixtures = await createFixtures(engine, {
      environment: {
        LOG_LEVEL: "trace",
        METRICS_TOKEN,
        TRUST_PROXY: `${PROXY},127.0.0.1`,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        WEBHOOK_ALLOW_HTTP: "on",
        WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      },
      onLog: (line) => void lines.push(line),
    });
    const { app, config, database, clock } = fixtures.testApp;
    observability = await startObservability({
      config,
      database,
      clock,
      log,
      serviceName: "talkback",
      storage: app.deps.storage,
      countLive: app.countLive,
      backlogMaxAgeMs: 0,
      tracesDelayMs: 20,
    });
    observability.addTo(app.server);
  }, 60_000);
  afterAll(async () => {
    await fixtures.testApp.close();
    await observability.stop();
    await collector.close();
    await receiver.close();
  });

  const readMetrics = async (headers: Record<string, string> = { authorization: `Bearer ${METRICS_TOKEN}` }) => {
    const { status, headers: responseHeaders, text } = await fixtures.testApp.send({ name: "monitor", headers }, { method: "GET", url: "/metrics" });
    return {
      status,
      headers: responseHeaders,
      text,
      value: (name: string) =>
        Number(
          text
            .split("\n")
            .find((line) => line.startsWith(`${name} `))
            ?.slice(name.length + 1),
        ),
    };
  };

  it("answers monitors, and shows metrics only with the token", async () => {
    const { testApp } = fixtures;
    const get = (url: string) => testApp.send(ANONYMOUS, { method: "GET", url });
    expect(await get("/health")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get("/ready")).toMatchObject({ status: 503, text: '{"status":"not ready","reasons":["The service is starting."]}' });
    observability.markStarted();
    expect(await get("/ready")).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: METRICS_TOKEN }] as Record<string, string>[]) {
      const refused = await readMetrics(headers);
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="metrics"']);
      expect(refused.text).not.toContain("talkback_");
    }
    const { status, headers } = await readMetrics();
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  });

  it("counts requests by operation and class, and never by path or id", async () => {
    const { testApp, member, home } = fixtures;
    const label = 'talkback_requests_total{operation="chatHistory",status="2xx"}';
    const before = await readMetrics();
    for (let count = 0; count < 3; count += 1) await testApp.call(member, chat.chatHistory, { body: { project_id: home.project } });
    for (let id = 1; id <= 30; id += 1) await testApp.send(ANONYMOUS, { method: "GET", url: `/nothing/${id}` });
    await testApp.call(ANONYMOUS, chat.chatHistory, { body: { project_id: 1 } });
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "hello" } });
    const { text, value } = await readMetrics();
    expect(value(label) - (before.value(label) || 0)).toBe(3);
    expect(value('talkback_requests_total{operation="chatHistory",status="4xx"}')).toBe(1);
    expect(value('talkback_requests_total{operation="other",status="4xx"}')).toBeGreaterThanOrEqual(30);
    expect(text).not.toContain("nothing");
    expect(text.split("\n").filter((line) => line.startsWith("talkback_requests_total{")).length).toBeLessThan(10);
    expect(value('talkback_request_seconds_bucket{operation="chatHistory",le="+Inf"}')).toBeGreaterThanOrEqual(4);
    expect(value('talkback_transactions_total{outcome="committed"}')).toBeGreaterThan(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(value('talkback_disk_bytes{kind="free"}')).toBeGreaterThan(0);
    expect(value("talkback_database_up")).toBe(1);
    expect(value("talkback_storage_up")).toBe(1);
  });

  it("names the request in the response, the log and the problem; a trusted proxy may name it", async () => {
    const { testApp, member, home } = fixtures;
    const call = (address: string, id: string) =>
      testApp.call(member, chat.chatHistory, { body: { project_id: home.project } }, { address, headers: { "x-request-id": id } });
    expect((await call("10.9.9.9", "mine")).headers["x-request-id"]).not.toBe("mine");
    expect((await call(PROXY, "from proxy")).headers["x-request-id"]).not.toBe("from proxy");
    expect((await call(PROXY, "edge-0042")).headers["x-request-id"]).toBe("edge-0042");
    const entry = entries().find((one) => one["request_id"] === "edge-0042");
    expect(entry).toMatchObject({ level: "info", msg: "request", operation: "chatHistory", method: "POST", status: 200, account_id: member.id });
    expect(entry?.["ms"]).toBeGreaterThan(0);
    const refused = await testApp.call(ANONYMOUS, chat.chatHistory, { body: { project_id: 1 } });
    expect(refused.problem.request_id).toBe(refused.headers["x-request-id"]);
  });

  it("shows how much waits and for how long, and open live connections", async () => {
    const { testApp, member, home } = fixtures;
    const { database, clock, app } = testApp;
    const now = clock.now();
    await database.write(async (tx) => {
      for (const run_at of [now - 90_000, now - 30_000, now + 60_000])
        await tx
          .insertInto("jobs")
          .values({
            kind: "media",
            subject_id: 1,
            organisation_id: 1,
            account_id: 1,
            run_at,
            created_at: now,
            lease_until: null,
            lease_token: null,
            failure: null,
            done_at: null,
          })
          .execute();
    });
    await app.server.listen({ port: 0, host: "127.0.0.1" });
    const socket = await openSocket(app.server, { headers: { ...member.headers, origin: testApp.config.publicUrl } });
    await socket.subscribe(`project:${home.project}`);
    const metrics = await readMetrics();
    expect(metrics.value('talkback_jobs_waiting{kind="media"}')).toBe(3);
    expect(metrics.value('talkback_jobs_oldest_due_seconds{kind="media"}')).toBe(90);
    expect(metrics.value('talkback_live{kind="sockets"}')).toBe(1);
    expect(metrics.value('talkback_live{kind="subscriptions"}')).toBe(1);
    await socket.close();
    await database.write((tx) => tx.deleteFrom("jobs").where("subject_id", "=", 1).where("kind", "=", "media").execute());
  });

  it("has no secret in log, metrics and traces, whichever way it came in", async () => {
    const { testApp, owner, member, home } = fixtures;
    const { config, app } = testApp;
    const token = await createApiToken(testApp, owner);
    const bearer = token.headers["authorization"]!.slice("Bearer ".length);
    const send = (request: Parameters<typeof testApp.send>[1], headers: Record<string, string> = {}) => testApp.send({ name: "somebody", headers }, request);

    await testApp.call(
      token,
      chat.sendMessage,
      { body: { project_id: home.project, body: SECRETS.message } },
      { headers: { "idempotency-key": SECRETS.idempotencyKey } },
    );
    await testApp.call(member, comments.writeComment, { params: { file_id: home.file }, body: { body: SECRETS.comment } });
    await testApp.call(ANONYMOUS, session.signIn, { body: { login: owner.email, password: SECRETS.wrongPassword } });
    await testApp.call(ANONYMOUS, session.signIn, { body: { login: owner.email, password: PASSWORD } });
    await send({ method: "GET", url: "/api/v2/account" }, { authorization: `Bearer ${SECRETS.invalidToken}` });
    await send({ method: "GET", url: "/api/v2/account" }, { authorization: `Basic ${SECRETS.header}`, "x-api-key": SECRETS.header });
    await send({ method: "GET", url: "/api/v2/session" }, { cookie: `talkback=${SECRETS.cookie}` });
    await send({ method: "GET", url: `/api/v2/live?ticket=${SECRETS.query}` });
    await send({ method: "GET", url: `/authorize?state=${SECRETS.query}&code=${SECRETS.query}` });
    await send({ method: "GET", url: `/unknown/${SECRETS.path}?${SECRETS.query}` });
    await send({ method: "GET", url: `/api/v2/media/${SECRETS.mediaToken}` });
    await send({ method: "GET", url: "/health" }, { "x-request-id": SECRETS.requestId, traceparent: SECRETS.requestId });
    await send(
      { method: "POST", url: "/v1/account/projects/chat_history", payload: `{"project_id": "${SECRETS.invalidBody}"` },
      { ...token.headers, "content-type": "application/json" },
    );
    await send({ method: "POST", url: "/v1/account/projects/chat_history", payload: { project_id: SECRETS.invalidBody } }, token.headers);

    const hook = `/${SECRETS.webhookPath}`;
    receiver.handlers[`${hook}?key=${SECRETS.webhookQuery}`] = (response) => response.writeHead(500).end(SECRETS.responseOfReceiver);
    const stopDelivery = app.startDelivery();
    const { response } = await testApp.call(owner, webhooks.createWebhookEndpoint, {
      body: { url: `${receiver.base}${hook}?key=${SECRETS.webhookQuery}`, event_types: ["file.renamed"] },
    });
    const endpoint = response.data as { id: number; secret?: string };
    await testApp.call(owner, webhooks.testWebhookEndpoint, { params: { endpoint_id: endpoint.id }, body: { event_type: "file.renamed" } });
    await receiver.waitForRequests(1);
    await stopDelivery();

    await collector.nextSpan("deliver webhook");
    await collector.nextSpan("sendMessage");
    const metrics = await readMetrics();
    expect(metrics.text).toMatch(/talkback_delivery_attempts_total\{channel="webhook",outcome="http"\} \d/);
    const attempt = entries().find(({ msg, channel }) => msg === "delivery attempted" && channel === "webhook");
    expect(attempt).toMatchObject({ channel: "webhook", endpoint_id: endpoint.id, outcome: "http", status: 500, attempt: 1 });
    expect(entries().filter(({ msg }) => msg === "request").length).toBeGreaterThan(12);

    const seen = [...lines, metrics.text, ...collector.bodies].join("\n");
    const further = { password: PASSWORD, bearer, session: owner.headers["cookie"]!.split("=")[1]!, metricsToken: METRICS_TOKEN, email: owner.email };
    const whole = { ...SECRETS, ...further, webhookSecret: endpoint.secret ?? "missing", masterKey: testApp.masterKey.toString("base64") };
    expect(whole.webhookSecret).toMatch(/^whsec_/);
    for (const [way, secret] of Object.entries(whole)) expect(seen.includes(secret), way).toBe(false);
    expect(config.observability.metricsToken).toBe(METRICS_TOKEN);
  });

  it.runIf(engine === "postgres")("a worker process has the same at its port, and its own counts", async () => {
    const { testApp } = fixtures;
    const port = await findFreePort();
    const settings = { DATABASE_URL: testApp.testDatabase.location, MASTER_KEY: testApp.masterKey.toString("base64"), METRICS_PORT: String(port) };
    const worker = await startWorkerProcess(testApp.config.dataDir, settings);
    const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    while ((await read("/ready")) !== '{"status":"ready"}') await sleep(20);
    expect(await read("/health")).toBe('{"status":"ok"}');
    const metrics = await read("/metrics");
    expect(metrics).toContain("talkback_database_up 1\n");
    expect(metrics).not.toContain("talkback_storage_up");
    expect(metrics).toMatch(/talkback_deliveries_waiting\{channel="webhook"\} \d/);
    expect(metrics).not.toContain("talkback_requests_total");
    await worker.kill();
  });

  it("is not ready any more before it stops, and a port of its own says the same", async () => {
    const { config, database, clock } = fixtures.testApp;
    const settings = { ...config, observability: { ...config.observability, tracesEndpoint: null, metricsAddress: { host: "127.0.0.1", port: 0 } } };
    const other = await startObservability({ config: settings, database, clock, log: createLog({ level: "silent" }), serviceName: "talkback-worker" });
    other.markStarted();
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const read = async (path: string, headers: Record<string, string> = {}) => (await fetch(`${address}${path}`, { headers })).status;
    expect([await read("/health"), await read("/ready"), await read("/metrics"), await read("/api/v2/service")]).toEqual([200, 200, 401, 404]);
    expect(await read("/metrics", { authorization: `Bearer ${METRICS_TOKEN}` })).toBe(200);
    await other.drain();
    expect([await read("/health"), await read("/ready")]).toEqual([200, 503]);
    await other.stop();
    await observability.drain();
    const reply = await fixtures.testApp.send(ANONYMOUS, { method: "GET", url: "/ready" });
    expect([reply.status, JSON.parse(reply.text)]).toEqual([503, { status: "not ready", reasons: ["The service is stopping."] }]);
  });
});

describe("a process that is told to stop", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-drain-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("says so at /ready while it goes on serving, and ends at once at the second signal", async () => {
    const { base, child } = await startService(folder, { DRAIN_SECONDS: "600" });
    const statusOf = async (path: string) => (await fetch(`${base}${path}`)).status;
    while ((await statusOf("/ready")) !== 200) await sleep(20);
    child.kill("SIGTERM");
    while ((await statusOf("/ready")) === 200) await sleep(20);
    expect([await statusOf("/ready"), await statusOf("/health"), await statusOf("/api/v2/service")]).toEqual([503, 200, 200]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([1, null]);
  });
});
