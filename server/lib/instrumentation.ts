/**
 * What the service publishes about its own work, for the log, metrics and traces (decision 078): channels of `node:diagnostics_channel`, which cost next to
 * nothing while nobody subscribes. Times are of `performance.now()`, in milliseconds.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";

/** One HTTP request, from its headers to the end of its response. */
export interface RequestReport {
  /** Id in the operations table; null for pages, files and unknown paths. */
  operation: string | null;
  method: string;
  requestId: string;
  startedAt: number;
  /** Of the caller who was identified. */
  accountId: number | null;
  /** The W3C trace context that a trusted proxy has sent. */
  traceparent: string | null;
  /** Set at the end; null if the connection closed before the whole response was sent. */
  status: number | null;
}

/** One transaction, including the time that it waits for its turn. */
export interface TransactionReport {
  calledAt: number;
  /** When the transaction first had its connection or lock. */
  beganAt: number | null;
}

/** One run of a job; `kind` is that of the queue. */
export interface JobReport {
  kind: string;
  jobId: number;
  /** The version that the job processes. */
  subjectId: number;
  attempt: number;
  startedAt: number;
}

/** One attempt to send a webhook, a push message or an email. */
export interface AttemptReport {
  channel: "webhook" | "push" | "mail";
  deliveryId: number;
  attempt: number;
  startedAt: number;
  /** Only of webhooks. */
  endpointId?: number;
  eventId?: string;
  /** HTTP status of the receiver; null if no response arrived. */
  status?: number | null;
  /** Set at the end. */
  outcome?: string;
}

export const requests = tracingChannel<unknown, RequestReport>("talkback:request");
export const transactions = tracingChannel<unknown, TransactionReport>("talkback:transaction");
export const jobs = tracingChannel<unknown, JobReport>("talkback:job");
export const attempts = tracingChannel<unknown, AttemptReport>("talkback:attempt");

/** The span of the current work; only `server/observability/tracing.ts` fills it. */
export const currentSpan = new AsyncLocalStorage<unknown>();
