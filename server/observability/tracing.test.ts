/** Tests that spans reach a collector, and that a collector which is away, slow or broken harms nothing. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chatHistory, sendMessage } from "../../contract/operations/chat.ts";
import { listProjects } from "../../contract/operations/projects.ts";
import { type AttemptReport, attempts, currentSpan, type JobReport, jobs, requests, transactions } from "../lib/instrumentation.ts";
import { ANONYMOUS } from "../testing/client.ts";
import { type Collector, startCollector } from "../testing/collector.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { startTracing } from "./tracing.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";
const PROXY = "10.1.2.3";

describe("with a collector", { timeout: 30_000 }, () => {
  let collector: Collector;
  let fixtures: Fixtures;
  let stop: () => Promise<void>;
  const start = async (sampleRatio = 1) => {
    stop = await startTracing({ endpoint: `${collector.endpoint}/`, version: "1.2.3", serviceName: "talkback", sampleRatio, delayMs: 20 });
  };
  beforeEach(async () => {
    collector = await startCollector();
    fixtures = await createFixtures("sqlite", { environment: { TRUST_PROXY: PROXY } });
  });
  afterEach(async () => {
    await stop();
    await fixtures.testApp.close();
    await collector.close();
  });

  it("a request has a span by its operation, and its transaction is part of it", async () => {
    await start();
    const { testApp, member, home } = fixtures;
    const reply = await testApp.call(member, sendMessage, { body: { project_id: home.project, body: "hello" } });
    const request = await collector.nextSpan("sendMessage");
    expect(request).toMatchObject({ kind: 2, parentSpanId: undefined, service: "talkback", status: 0 });
    expect(request.attributes).toEqual({
      "http.request.method": "POST",
      "http.response.status_code": 200,
      "talkback.operation": "sendMessage",
      "talkback.request_id": reply.headers["x-request-id"],
      "talkback.account_id": member.id,
    });
    const transaction = await collector.nextSpan("transaction", ({ parentSpanId }) => parentSpanId === request.spanId);
    expect(transaction.traceId).toBe(request.traceId);
    expect(transaction.milliseconds).toBeLessThanOrEqual(request.milliseconds);
    expect(transaction.attributes).toHaveProperty(["talkback.wait_ms"]);
  });

  it("a request that is refused before its handler has one too", async () => {
    await start();
    await fixtures.testApp.call(ANONYMOUS, listProjects);
    expect((await collector.nextSpan("listProjects")).attributes).toMatchObject({ "http.response.status_code": 401 });
  });

  it("continues the trace of a trusted proxy, and of nobody else", async () => {
    await start();
    const { testApp, member, home } = fixtures;
    const send = (address: string) =>
      testApp.call(member, chatHistory, { body: { project_id: home.project } }, { address, headers: { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` } });
    await send("10.9.9.9");
    expect((await collector.nextSpan("chatHistory")).traceId).not.toBe(TRACE_ID);
    await send(PROXY);
    const span = await collector.nextSpan("chatHistory", ({ traceId }) => traceId === TRACE_ID);
    expect(span.parentSpanId).toBe(SPAN_ID);
  });

  it("jobs and attempts begin traces of their own, whatever caused them", async () => {
    await start();
    const job: JobReport = { kind: "media", jobId: 7, subjectId: 8, attempt: 2, startedAt: performance.now() };
    const attempt: AttemptReport = { channel: "webhook", deliveryId: 5, endpointId: 6, eventId: "e", attempt: 1, startedAt: performance.now() };
    await jobs
      .tracePromise(async () => {
        await transactions.tracePromise(async () => {}, { calledAt: performance.now(), beganAt: performance.now() });
        await attempts.tracePromise(async () => Object.assign(attempt, { outcome: "http", status: 500 }), attempt);
        throw new Error("broke");
      }, job)
      .catch(() => {});
    const jobSpan = await collector.nextSpan("job media");
    expect(jobSpan).toMatchObject({ status: 2, attributes: { "talkback.job_id": 7, "talkback.subject_id": 8, "talkback.attempt": 2 } });
    expect((await collector.nextSpan("transaction", ({ parentSpanId }) => parentSpanId === jobSpan.spanId)).traceId).toBe(jobSpan.traceId);
    const sent = await collector.nextSpan("deliver webhook");
    expect(sent).toMatchObject({ status: 2, parentSpanId: undefined, attributes: { "talkback.outcome": "http", "http.response.status_code": 500 } });
    expect(sent.traceId).not.toBe(jobSpan.traceId);
  });

  it("records none of the traces with a ratio of 0", async () => {
    await start(0);
    const { testApp, member, home } = fixtures;
    await testApp.call(member, chatHistory, { body: { project_id: home.project } });
    await stop();
    expect(collector.spans).toEqual([]);
  });

  it("ends within the time limit when the collector never responds, and keeps a bounded number of spans", async () => {
    collector.respond = () => {};
    await start();
    const { testApp, member, home } = fixtures;
    for (let count = 0; count < 5; count += 1) expect((await testApp.call(member, chatHistory, { body: { project_id: home.project } })).status).toBe(200);
    for (let count = 0; count < 10_000; count += 1) await transactions.tracePromise(async () => {}, { calledAt: performance.now(), beganAt: null });
    const before = performance.now();
    await stop();
    expect(performance.now() - before).toBeLessThan(4_000);
    expect(collector.spans.length).toBeLessThan(3_000);
  });

  it("is no matter to requests when the collector is away or fails", async () => {
    await start();
    const { testApp, member, home } = fixtures;
    const read = async () => (await testApp.call(member, chatHistory, { body: { project_id: home.project } })).status;
    collector.respond = (response) => void response.writeHead(500).end("no");
    expect(await read()).toBe(200);
    await collector.nextSpan("chatHistory");
    await collector.close();
    expect(await read()).toBe(200);
    await stop();
    stop = async () => {};
    collector = await startCollector();
  });

  it("leaves nothing subscribed at its end", async () => {
    await start();
    await stop();
    for (const channel of [requests, transactions, jobs, attempts]) expect(channel.hasSubscribers).toBe(false);
    expect(currentSpan.getStore()).toBeUndefined();
  });
});

it("without a collector no code of OpenTelemetry is loaded", { timeout: 30_000 }, async () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { if (url.includes("@opentelemetry")) loaded.push(url); return next(url, context); } });
    const { startObservability } = await import("./server/start-observability.ts");
    await import("./server/app.ts");
    const before = loaded.length;
    const { startTracing } = await import("./server/observability/tracing.ts");
    await (await startTracing({ endpoint: "http://127.0.0.1:9", version: "1", serviceName: "t", sampleRatio: 1 }))();
    console.log(JSON.stringify([typeof startObservability, before, loaded.length > 0]));`;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
  expect(JSON.parse(stdout)).toEqual(["function", 0, true]);
  const source = readFileSync(new URL("tracing.ts", import.meta.url), "utf8");
  expect(source.match(/^import (?!type).*@opentelemetry/gm)).toBeNull();
});
