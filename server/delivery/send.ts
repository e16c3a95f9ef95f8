/** One try: a request with a deadline for the whole of it, its answer cut short, and a class for whatever happened. */
import { Agent, request, type Dispatcher } from "undici";
import type { AttemptOutcome } from "../../contract/webhook-records.ts";
import type { Clock } from "../lib/clock.ts";
import type { Guard } from "./guard.ts";
import { guardedConnect } from "./guarded-connect.ts";
import { DeadlineError, classifyError, StoppedError } from "./outcome.ts";
import { DEADLINE_MS, parseRetryAfter } from "./schedule.ts";
import { sign } from "./sign.ts";

/** Kept of an answer's body, in bytes; the rest is not read. */
const MAX_BODY_BYTES = 2_048;
/** An answer's headers in all, in bytes. */
const MAX_HEADER_BYTES = 16_384;

export interface DeliveryRequest {
  url: string;
  /** The event's id. */
  id: string;
  body: string;
  /** The current one first; none: nothing is sent. */
  secrets: readonly string[];
}

export interface AttemptResult {
  outcome: AttemptOutcome;
  /** null: no answer came. */
  status: number | null;
  startedAt: number;
  /** Milliseconds, whatever the clock on the wall did meanwhile. */
  duration: number;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  /** The first 2 KiB as text. */
  responseBody: string | null;
  /** What the receiver asked us to wait, in milliseconds. */
  retryAfterMs: number | null;
}

export interface Sender {
  /** Never throws. `signal` ends it as `interrupted`. */
  send(deliveryRequest: DeliveryRequest, signal: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

export interface SenderOptions {
  clock: Clock;
  deadlineMs?: number;
  /** Certificates to trust besides the usual ones, as PEM. */
  ca?: string;
}

/** PostgreSQL's text knows no NUL. */
const replaceNul = (text: string): string => text.replaceAll("\0", "\u{FFFD}");

const flattenHeaders = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, replaceNul([value ?? ""].flat().join(", "))]));

/** Reads until enough is there, then lets go of the connection; `onText` is told after each piece, so that what came before a failure is not lost. */
async function readBodyStart(body: AsyncIterable<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  let remainingBytes = MAX_BODY_BYTES;
  for await (const chunk of body) {
    // A letter that the end cuts in two stays in the decoder.
    text += decoder.decode(chunk.subarray(0, remainingBytes), { stream: true });
    remainingBytes -= chunk.length;
    onText(replaceNul(text));
    if (remainingBytes <= 0) return;
  }
}

function classifyStatus(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return "ok";
  return status >= 300 && status < 400 ? "redirect" : "http";
}

/** One pool of connections for all endpoints. Redirects are answers like any other. */
export function createSender(guard: Guard, { clock, deadlineMs = DEADLINE_MS, ca }: SenderOptions): Sender {
  const agent = new Agent({
    connect: guardedConnect(guard, { timeoutMs: deadlineMs, ca }),
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
    // The deadline for the whole counts; theirs start anew with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function exchange(url: URL, headers: Record<string, string>, requestBody: string, result: AttemptResult, signal: AbortSignal): Promise<void> {
    const response = await request(url, { dispatcher: agent, method: "POST", headers, body: requestBody, signal });
    result.status = response.statusCode;
    result.responseHeaders = flattenHeaders(response.headers);
    result.responseBody = "";
    result.outcome = classifyStatus(response.statusCode);
    if (response.statusCode === 429 || response.statusCode === 503)
      result.retryAfterMs = parseRetryAfter(result.responseHeaders["retry-after"], result.responseHeaders["date"], clock.now());
    try {
      await readBodyStart(response.body, (bodyStart) => (result.responseBody = bodyStart));
    } catch (error) {
      // A refusal stays one, however it ends; a success must be there whole, as far as it is read.
      if (result.outcome === "ok") throw error;
    }
  }

  return {
    async send({ url, id, body, secrets }, signal) {
      const startedAt = clock.now();
      const emptyResult = { status: null, startedAt, duration: 0, responseHeaders: null, responseBody: null, retryAfterMs: null };
      if (secrets.length === 0) return { ...emptyResult, outcome: "unsigned", requestHeaders: {} };
      const startTime = performance.now();
      const requestHeaders = {
        "content-type": "application/json",
        "user-agent": "Talkback-Webhooks",
        "accept-encoding": "identity",
        ...sign(id, startedAt, body, secrets),
      };
      const result: AttemptResult = { ...emptyResult, outcome: "interrupted", requestHeaders };
      const abortController = new AbortController();
      const aborted = Promise.withResolvers<never>();
      // The client notices an abort only once a connection stands; so it is not what we wait for.
      const abort = (reason: Error): void => {
        aborted.reject(reason);
        abortController.abort(reason);
      };
      const onStop = (): void => abort(new StoppedError());
      // Timers run before what has arrived meanwhile is read: an answer that is there counts.
      const deadline = setTimeout(() => setImmediate(() => abort(new DeadlineError())), deadlineMs);
      signal.addEventListener("abort", onStop, { once: true });
      if (signal.aborted) onStop();
      try {
        const pendingExchange = exchange(guard.assertUrlAllowed(url), requestHeaders, body, result, abortController.signal);
        pendingExchange.catch(() => {});
        await Promise.race([pendingExchange, aborted.promise]);
      } catch (error) {
        // A refusal that is still being read when time is up.
        if (!(error instanceof DeadlineError && result.status !== null && result.outcome !== "ok")) result.outcome = classifyError(error);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", onStop);
        aborted.promise.catch(() => {});
      }
      return { ...result, duration: Math.round(performance.now() - startTime) };
    },
    close: () => agent.destroy(),
  };
}
