/** One try: a request with a deadline for the whole of it, its answer cut short, and a class for whatever happened. */
import { Agent, request, type Dispatcher } from "undici";
import type { AttemptOutcome } from "../../contract/webhook-records.ts";
import type { Clock } from "../lib/clock.ts";
import type { Guard } from "./guard.ts";
import { guardedConnect } from "./guarded-connect.ts";
import { DeadlineError, outcomeOf, StoppedError } from "./outcome.ts";
import { DEADLINE_MS, retryAfter } from "./schedule.ts";
import { sign } from "./sign.ts";

/** Kept of an answer's body, in bytes; the rest is not read. */
const KEPT_BYTES = 2_048;
/** An answer's headers in all, in bytes. */
const HEADER_BYTES = 16_384;

export interface Letter {
  url: string;
  /** The event's id. */
  id: string;
  body: string;
  /** The current one first; none: nothing is sent. */
  secrets: readonly string[];
}

export interface Tried {
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
  wish: number | null;
}

export interface Sender {
  /** Never throws. `signal` ends it as `interrupted`. */
  send(letter: Letter, signal: AbortSignal): Promise<Tried>;
  close(): Promise<void>;
}

export interface SenderOptions {
  clock: Clock;
  deadlineMs?: number;
  /** Certificates to trust besides the usual ones, as PEM. */
  ca?: string;
}

/** PostgreSQL's text knows no NUL. */
const storable = (text: string): string => text.replaceAll("\0", "\u{FFFD}");

const plain = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, storable([value ?? ""].flat().join(", "))]));

/** Reads until enough is there, then lets go of the connection; `keep` is told after each piece, so that what came before a failure is not lost. */
async function readStart(body: AsyncIterable<Uint8Array>, keep: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  let left = KEPT_BYTES;
  for await (const chunk of body) {
    // A letter that the end cuts in two stays in the decoder.
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    keep(storable(text));
    if (left <= 0) return;
  }
}

function classOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return "ok";
  return status >= 300 && status < 400 ? "redirect" : "http";
}

/** One pool of connections for all endpoints. Redirects are answers like any other. */
export function createSender(guard: Guard, { clock, deadlineMs = DEADLINE_MS, ca }: SenderOptions): Sender {
  const agent = new Agent({
    connect: guardedConnect(guard, { timeoutMs: deadlineMs, ca }),
    maxHeaderSize: HEADER_BYTES,
    pipelining: 1,
    // The deadline for the whole counts; theirs start anew with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function exchange(url: URL, headers: Record<string, string>, text: string, tried: Tried, signal: AbortSignal): Promise<void> {
    const answer = await request(url, { dispatcher: agent, method: "POST", headers, body: text, signal });
    tried.status = answer.statusCode;
    tried.responseHeaders = plain(answer.headers);
    tried.responseBody = "";
    tried.outcome = classOf(answer.statusCode);
    if (answer.statusCode === 429 || answer.statusCode === 503)
      tried.wish = retryAfter(tried.responseHeaders["retry-after"], tried.responseHeaders["date"], clock.now());
    try {
      await readStart(answer.body, (kept) => (tried.responseBody = kept));
    } catch (error) {
      // A refusal stays one, however it ends; a success must be there whole, as far as it is read.
      if (tried.outcome === "ok") throw error;
    }
  }

  return {
    async send({ url, id, body, secrets }, signal) {
      const startedAt = clock.now();
      const nothing = { status: null, startedAt, duration: 0, responseHeaders: null, responseBody: null, wish: null };
      if (secrets.length === 0) return { ...nothing, outcome: "unsigned", requestHeaders: {} };
      const since = performance.now();
      const requestHeaders = {
        "content-type": "application/json",
        "user-agent": "Talkback-Webhooks",
        "accept-encoding": "identity",
        ...sign(id, startedAt, body, secrets),
      };
      const tried: Tried = { ...nothing, outcome: "interrupted", requestHeaders };
      const ending = new AbortController();
      const ended = Promise.withResolvers<never>();
      // The client notices an abort only once a connection stands; so it is not what we wait for.
      const end = (reason: Error): void => {
        ended.reject(reason);
        ending.abort(reason);
      };
      const stop = (): void => end(new StoppedError());
      // Timers run before what has arrived meanwhile is read: an answer that is there counts.
      const deadline = setTimeout(() => setImmediate(() => end(new DeadlineError())), deadlineMs);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      try {
        const exchanged = exchange(guard.demandUrl(url), requestHeaders, body, tried, ending.signal);
        exchanged.catch(() => {});
        await Promise.race([exchanged, ended.promise]);
      } catch (error) {
        // A refusal that is still being read when time is up.
        if (!(error instanceof DeadlineError && tried.status !== null && tried.outcome !== "ok")) tried.outcome = outcomeOf(error);
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", stop);
        ended.promise.catch(() => {});
      }
      return { ...tried, duration: Math.round(performance.now() - since) };
    },
    close: () => agent.destroy(),
  };
}
