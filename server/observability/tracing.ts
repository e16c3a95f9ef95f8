/**
 * Sends spans to an OpenTelemetry collector: of requests, transactions, jobs and attempts to deliver something. Only `startTracing` loads OpenTelemetry, so
 * that a service without a collector has none of its code in memory (decision 078).
 */
import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { ChannelListener, TracingChannel } from "node:diagnostics_channel";
import {
  type AttemptReport,
  attempts,
  currentSpan,
  type JobReport,
  jobs,
  type RequestReport,
  requests,
  type TransactionReport,
  transactions,
} from "../lib/instrumentation.ts";

export interface TracingOptions {
  /** Base address of the collector; spans go to `/v1/traces` below it. */
  endpoint: string;
  version: string;
  /** What this process is, such as `talkback` or `talkback-worker`; `OTEL_SERVICE_NAME` replaces it. */
  serviceName: string;
  /** Share of traces that are recorded, 0 to 1, unless a trusted proxy has decided (`OTEL_TRACES_SAMPLER_ARG`). */
  sampleRatio: number;
  /** Milliseconds between two exports (tests). */
  delayMs?: number | undefined;
}

/** Spans that wait for the collector. Further ones are dropped, so that a collector that is away costs no more memory than this. */
const MAX_WAITING_SPANS = 2_048;
const EXPORT_TIMEOUT_MS = 5_000;
/** How long the end of the process waits for the last export. */
const FLUSH_TIMEOUT_MS = 2_000;

/** How reports of one channel become spans. */
interface SpanKindOf<Report> {
  name(report: Report): string;
  kind: "INTERNAL" | "SERVER" | "CONSUMER" | "CLIENT";
  startedAt(report: Report): number;
  /** A job and an attempt begin a trace of their own, because they run whenever it is their turn, also in another process. */
  isRoot: boolean;
  /** Known at the end. */
  attributes(report: Report): Attributes;
  hasFailed(report: Report & { error?: unknown }): boolean;
}

const withoutUndefined = (attributes: Record<string, string | number | null | undefined>): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null));

const REQUEST: SpanKindOf<RequestReport> = {
  name: ({ operation, method }) => operation ?? method,
  kind: "SERVER",
  isRoot: true,
  startedAt: ({ startedAt }) => startedAt,
  attributes: ({ operation, method, status, requestId, accountId }) =>
    withoutUndefined({
      "http.request.method": method,
      "http.response.status_code": status,
      "talkback.operation": operation,
      "talkback.request_id": requestId,
      "talkback.account_id": accountId,
    }),
  hasFailed: ({ status }) => status === null || status >= 500,
};
const TRANSACTION: SpanKindOf<TransactionReport> = {
  name: () => "transaction",
  kind: "INTERNAL",
  isRoot: false,
  startedAt: ({ calledAt }) => calledAt,
  attributes: ({ calledAt, beganAt }) => withoutUndefined({ "talkback.wait_ms": beganAt === null ? null : beganAt - calledAt }),
  hasFailed: ({ error }) => error !== undefined,
};
const JOB: SpanKindOf<JobReport> = {
  name: ({ kind }) => `job ${kind}`,
  kind: "CONSUMER",
  isRoot: true,
  startedAt: ({ startedAt }) => startedAt,
  attributes: ({ jobId, subjectId, attempt }) => withoutUndefined({ "talkback.job_id": jobId, "talkback.subject_id": subjectId, "talkback.attempt": attempt }),
  hasFailed: ({ error }) => error !== undefined,
};
const ATTEMPT: SpanKindOf<AttemptReport> = {
  name: ({ channel }) => `deliver ${channel}`,
  kind: "CLIENT",
  isRoot: true,
  startedAt: ({ startedAt }) => startedAt,
  attributes: ({ deliveryId, endpointId, eventId, attempt, status, outcome }) =>
    withoutUndefined({
      "talkback.delivery_id": deliveryId,
      "talkback.endpoint_id": endpointId,
      "talkback.event_id": eventId,
      "talkback.attempt": attempt,
      "talkback.outcome": outcome,
      "http.response.status_code": status,
    }),
  hasFailed: ({ outcome }) => outcome !== "ok" && outcome !== "sent" && outcome !== "nothing" && outcome !== "quiet",
};

/** Returns a function that sends what waits, within two seconds, and stops. */
export async function startTracing({ endpoint, version, serviceName, sampleRatio, delayMs }: TracingOptions): Promise<() => Promise<void>> {
  const [
    { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider },
    resources,
    otlp,
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS, concurrencyLimit: 2 });
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({ "service.name": serviceName, "service.version": version, "process.pid": process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING_SPANS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        ...(delayMs === undefined ? {} : { scheduledDelayMillis: delayMs }),
      }),
    ],
  });
  const tracer = provider.getTracer("talkback", version);
  const spans = new WeakMap<object, Span>();
  const stops: (() => void)[] = [];
  const toEpochMs = (time: number): number => performance.timeOrigin + time;

  /** The trace that a trusted proxy has begun, as in the header `traceparent`. */
  function remoteContext(traceparent: string | null): Context {
    const [, traceId, spanId, flags] = traceparent?.split("-") ?? [];
    if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true });
  }

  function follow<Report extends object>(
    channel: TracingChannel<unknown, Report>,
    { name, kind, isRoot, startedAt, attributes, hasFailed }: SpanKindOf<Report>,
  ): void {
    const start = (report: Report): Span => {
      const parent = isRoot ? undefined : (currentSpan.getStore() as Span | undefined);
      const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : remoteContext((report as Partial<RequestReport>).traceparent ?? null);
      const span = tracer.startSpan(name(report), { kind: SpanKind[kind], startTime: toEpochMs(startedAt(report)) }, context);
      spans.set(report, span);
      return span;
    };
    channel.start.bindStore(currentSpan, (report) => start(report));
    const onEnd: ChannelListener = (message) => {
      const report = message as Report & { error?: unknown };
      // A request that was refused before its handler has no span yet.
      const span = spans.get(report) ?? start(report);
      span.setAttributes(attributes(report));
      if (hasFailed(report)) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
    channel.asyncEnd.subscribe(onEnd);
    stops.push(() => {
      channel.start.unbindStore(currentSpan);
      channel.asyncEnd.unsubscribe(onEnd);
    });
  }
  follow(requests, REQUEST);
  follow(transactions, TRANSACTION);
  follow(jobs, JOB);
  follow(attempts, ATTEMPT);

  return async () => {
    for (const stop of stops) stop();
    const deadline = new Promise((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS).unref());
    await Promise.race([provider.shutdown().catch(() => {}), deadline]);
  };
}
