/** Posts to addresses that people name, with a total deadline: reads the start of the response, and classifies the outcome. */
import type { Dispatcher } from "undici";
import type { AttemptOutcome } from "../../contract/webhook-records.ts";
import type { Clock } from "../lib/clock.ts";
import { type Guard, GuardError } from "./guard.ts";
import { createGuardedAgent } from "./guarded-agent.ts";
import { DEADLINE_MS, MAX_BODY_BYTES, parseRetryAfter } from "./schedule.ts";

/** Limit for all response headers together, in bytes. */
const MAX_HEADER_BYTES = 16_384;

/** Outcomes by error code of Node.js, its TLS and DNS modules, and undici. */
const OUTCOME_BY_CODE: [RegExp, AttemptOutcome][] = [
  [/^(ENOTFOUND|EAI_.*|ENODATA|EBADNAME)$/, "dns"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, "refused"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, "timeout"],
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, "headers_too_large"],
  [/^(HPE_.*|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, "protocol"],
  [/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|^EPROTO$/, "tls"],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_ABORTED|UND_ERR_DESTROYED)$/, "reset"],
];

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface AttemptResult {
  outcome: AttemptOutcome;
  /** null: no response arrived. */
  status: number | null;
  startedAt: number;
  /** Milliseconds by the monotonic clock, unaffected by changes to the wall clock. */
  duration: number;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  /** The first 2 KiB, decoded as text. */
  responseBody: string | null;
  /** The wait that the receiver requested, in milliseconds. */
  retryAfterMs: number | null;
}

export interface GuardedPost {
  /** Never throws. Aborting `signal` ends the attempt with the outcome `interrupted`. */
  post(postRequest: PostRequest, signal: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

export interface GuardedPostOptions {
  clock: Clock;
  deadlineMs?: number;
  /** Additional trusted CA certificates, as PEM. */
  ca?: string;
}

/** Returns the result of an attempt that began at this time and has got no response yet. */
export const emptyResult = (startedAt: number): Omit<AttemptResult, "outcome" | "requestHeaders"> => ({
  status: null,
  startedAt,
  duration: 0,
  responseHeaders: null,
  responseBody: null,
  retryAfterMs: null,
});

/** Creates a sender with one connection pool for all addresses. Redirects are not followed. */
export function createGuardedPost(guard: Guard, { clock, deadlineMs = DEADLINE_MS, ca }: GuardedPostOptions): GuardedPost {
  const agent = createGuardedAgent(guard, {
    connectTimeoutMs: deadlineMs,
    ca,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
    // The total deadline applies instead; undici's timeouts restart with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function exchange(url: URL, { headers, body }: PostRequest, result: AttemptResult, signal: AbortSignal): Promise<void> {
    const response = await agent.request(url, { method: "POST", headers, body, signal });
    result.status = response.statusCode;
    result.responseHeaders = flattenHeaders(response.headers);
    result.responseBody = "";
    result.outcome = classifyStatus(response.statusCode);
    if (response.statusCode === 429 || response.statusCode === 503)
      result.retryAfterMs = parseRetryAfter(result.responseHeaders["retry-after"], result.responseHeaders["date"], clock.now());
    try {
      await readBodyStart(response.body, (bodyStart) => (result.responseBody = bodyStart));
    } catch (error) {
      // A non-2xx response keeps its outcome however the body ends; a success requires an intact body up to the read limit.
      if (result.outcome === "ok") throw error;
    }
  }

  return {
    async post(postRequest, signal) {
      const startTime = performance.now();
      const result: AttemptResult = { ...emptyResult(clock.now()), outcome: "interrupted", requestHeaders: postRequest.headers };
      const abortController = new AbortController();
      const aborted = Promise.withResolvers<never>();
      // undici handles an abort only once a connection is established, so `post` waits for `aborted` instead.
      const abort = (reason: Error): void => {
        aborted.reject(reason);
        abortController.abort(reason);
      };
      const onStop = (): void => abort(new StoppedError());
      // Timers run before pending I/O is processed; `setImmediate` lets a response that has already arrived count.
      const deadline = setTimeout(() => setImmediate(() => abort(new DeadlineError())), deadlineMs);
      signal.addEventListener("abort", onStop, { once: true });
      if (signal.aborted) onStop();
      try {
        const pendingExchange = exchange(guard.assertUrlAllowed(postRequest.url), postRequest, result, abortController.signal);
        pendingExchange.catch(() => {});
        await Promise.race([pendingExchange, aborted.promise]);
      } catch (error) {
        // A non-2xx response whose body is still being read at the deadline keeps its outcome.
        if (!(error instanceof DeadlineError && result.status !== null && result.outcome !== "ok")) result.outcome = classifyError(error);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", onStop);
        aborted.promise.catch(() => {});
      }
      return { ...result, duration: Math.round(performance.now() - startTime) };
    },
    close: agent.close,
  };
}

const flattenHeaders = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, replaceNul([value ?? ""].flat().join(", "))]));

/** Replaces NUL characters, which PostgreSQL text columns reject. */
const replaceNul = (text: string): string => text.replaceAll("\0", "\u{FFFD}");

/** Reads up to `MAX_BODY_BYTES`, then releases the connection. Calls `onText` after each chunk, so that text received before a failure is not lost. */
async function readBodyStart(body: AsyncIterable<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  let remainingBytes = MAX_BODY_BYTES;
  for await (const chunk of body) {
    // The decoder holds back the bytes of a character that continues in the next chunk or beyond the limit.
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

/** The attempt exceeded its total deadline. */
class DeadlineError extends Error {}
/** The service stopped during the attempt; the receiver is not at fault. */
class StoppedError extends Error {}

/** Returns an outcome that helps the user and reveals nothing about the internal network. */
function classifyError(error: unknown): AttemptOutcome {
  const { cause, code = "" } = error as { cause?: unknown; code?: string };
  for (const candidate of [error, cause]) if (candidate instanceof GuardError) return "address_not_allowed";
  if (error instanceof DeadlineError) return "timeout";
  if (error instanceof StoppedError) return "interrupted";
  if (code === "UND_ERR_SOCKET" && (error as Error).message === "bad upgrade") return "protocol";
  return OUTCOME_BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? "protocol";
}
