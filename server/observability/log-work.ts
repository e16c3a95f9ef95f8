/** Writes a line to the log for each request, each run of a job and each attempt to send something, with ids and without contents. */
import type { ChannelListener } from "node:diagnostics_channel";
import { type AttemptReport, attempts, type JobReport, jobs, type RequestReport, requests } from "../lib/instrumentation.ts";
import type { Log } from "../lib/log.ts";

/** Milliseconds with one decimal. */
const elapsed = (since: number): number => Math.round((performance.now() - since) * 10) / 10;

/** Returns a function that stops it. */
export function logWork(log: Log): () => void {
  const onRequest: ChannelListener = (message) => {
    const { requestId, operation, method, status, startedAt, accountId } = message as RequestReport;
    log.info(
      { request_id: requestId, operation, method, status, ms: elapsed(startedAt), account_id: accountId },
      status === null ? "request aborted" : "request",
    );
  };
  const onJob: ChannelListener = (message) => {
    const { kind, jobId, subjectId, attempt, startedAt, error } = message as JobReport & { error?: unknown };
    log.info({ job_id: jobId, kind, subject_id: subjectId, attempt, ms: elapsed(startedAt) }, error === undefined ? "job ended" : "job failed");
  };
  const onAttempt: ChannelListener = (message) => {
    const { channel, deliveryId, endpointId, eventId, attempt, outcome, status, startedAt } = message as AttemptReport;
    const ids = { channel, delivery_id: deliveryId, endpoint_id: endpointId, event_id: eventId, attempt };
    log.info({ ...ids, outcome, status, ms: elapsed(startedAt) }, "delivery attempted");
  };
  requests.asyncEnd.subscribe(onRequest);
  jobs.asyncEnd.subscribe(onJob);
  attempts.asyncEnd.subscribe(onAttempt);
  return () => {
    requests.asyncEnd.unsubscribe(onRequest);
    jobs.asyncEnd.unsubscribe(onJob);
    attempts.asyncEnd.unsubscribe(onAttempt);
  };
}
