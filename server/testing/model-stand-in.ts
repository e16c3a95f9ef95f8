/** A local service that speaks OpenAI's chat completions as a model's service does, and misbehaves as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";

export interface CompletionRequest {
  model: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  /** Resolves once the client has gone without an answer. */
  gone: Promise<void>;
}
/** Returns the text of the answer, or answers in its own way and returns null. */
export type Completion = (request: CompletionRequest, response: ServerResponse) => string | null | Promise<string | null>;

export interface ModelStandIn {
  /** The base address, which ends in /v1. */
  url: string;
  key: string;
  requests: CompletionRequest[];
  /** Answers from now on. */
  answer(completion: Completion): void;
  close(): Promise<void>;
}

const sendError = (response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): null => {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error: { message, type: "error", param: null, code: null } }));
  return null;
};
/** An error as the protocol has it. */
export const failWith =
  (status: number, headers: Record<string, string> = {}): Completion =>
  (_, response) =>
    sendError(response, status, `Failed with the key sk-stand-in`, headers);
/** Answers with each of these in turn, and with the last one from then on. */
export function inTurn(...completions: Completion[]): Completion {
  let count = 0;
  return (request, response) => completions[Math.min(count++, completions.length - 1)]!(request, response);
}

/** Sends a completion as OpenAI does, with members that nobody reads. */
export function sendCompletion(response: ServerResponse, model: string, content: string | null, finish_reason = "stop"): void {
  const choice = { index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const body = { id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000, model, choices: [choice], usage, system_fingerprint: null };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const isRequest = (body: unknown): body is Omit<CompletionRequest, "gone"> =>
  typeof body === "object" &&
  body !== null &&
  "model" in body &&
  body.model === "stand-in" &&
  "messages" in body &&
  Array.isArray(body.messages) &&
  body.messages.length > 0 &&
  body.messages.every((message) => ["system", "user", "assistant"].includes(message.role) && typeof message.content === "string");

export async function startModelStandIn(key = "sk-stand-in"): Promise<ModelStandIn> {
  const requests: CompletionRequest[] = [];
  let completion: Completion = () => "Fine.";
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== "/v1/chat/completions" || request.method !== "POST") return void sendError(response, 404, "Unknown address");
    if (request.headers.authorization !== `Bearer ${key}`) return void sendError(response, 401, "Incorrect API key provided: sk-wrong");
    const body = await readJson(request);
    if (!isRequest(body)) return void sendError(response, 400, "Invalid request");
    const gone = Promise.withResolvers<void>();
    response.on("close", () => response.writableFinished || gone.resolve());
    const received = { ...body, gone: gone.promise };
    requests.push(received);
    const text = await completion(received, response);
    if (text !== null && !response.destroyed) sendCompletion(response, body.model, text);
  }
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key,
    requests,
    answer: (next) => (completion = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The environment of a service that asks it. */
export const modelEnvironment = ({ url, key }: Pick<ModelStandIn, "url" | "key">): Record<string, string> => ({
  TALKBACK_MODEL_URL: url,
  TALKBACK_MODEL_KEY: key,
  TALKBACK_MODEL_NAME: "stand-in",
});
