/**
 * Asks a language model by the protocol of OpenAI's chat completions, which most services and local programs speak. Nothing of requests and answers is logged.
 */
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import type { ModelConfig } from "../model-settings.ts";
import { parseRetryAfter } from "../delivery/schedule.ts";
import { type Clock, SECOND } from "../lib/clock.ts";
import { ModelError } from "./model-error.ts";

export interface ModelMessage {
  role: "system" | "user";
  content: string;
}
export interface ModelRequest {
  messages: ModelMessage[];
  signal: AbortSignal;
  /** Called with a sentence before a wait. */
  onRetry(text: string): Promise<void>;
}
export interface ModelAnswer {
  text: string;
  /** The model stopped at a limit of its own. */
  isCut: boolean;
}
export interface ChatModel {
  /** What one request may hand over. */
  inputCharacters: number;
  /** Throws a `ModelError` if there is no answer, and the signal's reason if it aborts. */
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

const MAX_ANSWER_BYTES = 1_000_000;
/** Waits before the second and third request. */
const DELAYS_MS = [1 * SECOND, 4 * SECOND];
/** A longer wait is left to the caller, who can do something else meanwhile. */
const MAX_WAIT_MS = 15 * SECOND;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.nullish(z.string()) }), finish_reason: z.nullish(z.string()) })).check(z.minLength(1)),
});

/** Reasoning that some models write before their answer. */
const REASONING = /^\s*<think>[\s\S]*?<\/think>/;

function parseAnswer(body: string): ModelAnswer {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new ModelError("The model's service did not answer with JSON.");
  }
  const parsed = completion.safeParse(json);
  if (!parsed.success) throw new ModelError("The model's service did not answer with a chat completion.");
  const { message, finish_reason } = parsed.data.choices[0]!;
  const text = (message.content ?? "").replace(REASONING, "").trim();
  if (text === "") throw new ModelError("The model's answer is empty.");
  return { text, isCut: finish_reason === "length" };
}

function statusError(response: Response, now: number): ModelError {
  const { status, headers } = response;
  if (status === 401 || status === 403) return new ModelError(`The model's service refuses the key (${status}).`);
  if (status === 404) return new ModelError("The model's service does not know the address or the model (404).");
  if (status === 413) return new ModelError("The text is too long for the model's service (413).");
  if (status >= 300 && status < 400) return new ModelError(`The model's service redirects (${status}), which is not followed.`);
  if (status !== 429 && status !== 408 && status < 500) return new ModelError(`The model's service refuses the request (${status}).`);
  const afterMs = parseRetryAfter(headers.get("retry-after") ?? undefined, headers.get("date") ?? undefined, now) ?? 0;
  return new ModelError(status === 429 ? "The model is busy (429)." : `The model's service has failed (${status}).`, { afterMs });
}

async function readLimited(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Throwing ends the loop, which cancels the body.
    if (bytes > MAX_ANSWER_BYTES) throw new ModelError("The model's answer is longer than 1 MB.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The cause of a failed connection by its code, such as ECONNREFUSED. */
function describeCause(error: unknown): string {
  const code = error instanceof Error && error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : "";
  return /^[A-Z_]+$/.test(code) ? ` (${code})` : "";
}

export function createChatModel({ url, key, name, timeoutMs, inputCharacters }: ModelConfig, { now }: Pick<Clock, "now">): ChatModel {
  const headers = { "content-type": "application/json", accept: "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) };

  async function request(messages: ModelMessage[], signal: AbortSignal): Promise<ModelAnswer> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${url}/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: name, messages, stream: false }),
        redirect: "manual",
        signal: AbortSignal.any([signal, deadline]),
      });
      if (response.status === 200) return parseAnswer(await readLimited(response));
      await response.body?.cancel();
      throw statusError(response, now());
    } catch (error) {
      if (error instanceof ModelError || signal.aborted) throw error;
      // Asking again at once would wait as long again.
      if (deadline.aborted) throw new ModelError(`The model did not answer within ${timeoutMs / SECOND} seconds.`, { afterMs: MAX_WAIT_MS + 1 });
      throw new ModelError(`The model's service cannot be reached${describeCause(error)}.`, { afterMs: 0 });
    }
  }

  return {
    inputCharacters,
    async ask({ messages, signal, onRetry }) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await request(messages, signal);
        } catch (error) {
          const delayMs = DELAYS_MS[attempt];
          if (!(error instanceof ModelError) || error.retry === null || delayMs === undefined) throw error;
          const waitMs = Math.max(delayMs, error.retry.afterMs);
          if (waitMs > MAX_WAIT_MS) throw error;
          await onRetry(`${error.message} It is asked again in ${Math.ceil(waitMs / SECOND)} s.`);
          await pause(waitMs, undefined, { signal });
        }
      }
    },
  };
}
