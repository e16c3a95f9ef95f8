/** Calls API operations through the whole HTTP layer, without a socket. */
import type { FastifyInstance, InjectOptions } from "fastify";
import type { ResponseOf, Input, Operation } from "../../contract/define-operation.ts";
import type { Problem } from "../../contract/records.ts";
import { checkAgainstDocument } from "./published-document.ts";

/** A caller with its credentials; `headers` is empty for an anonymous one. */
export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const ANONYMOUS: Caller = { name: "nobody", headers: {} };

export interface Reply<A> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** The parsed response; throws if the call failed. */
  readonly response: A;
  /** The parsed problem; throws if the call succeeded. */
  readonly problem: Problem;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** The remote IP address. */
  address?: string;
}

/** Like an operation's input, but ids in paths may be numbers. */
export type OperationInput<O extends Operation> = Partial<Omit<Input<O>, "params">> & { params?: Record<string, string | number> };
/** Untyped input for intentionally invalid requests. */
export interface UntypedInput {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  /** Sent instead of a JSON body. */
  bytes?: Buffer | undefined;
  /** Headers that the operation itself needs. */
  headers?: Record<string, string> | undefined;
}

export interface Client {
  /** Calls an operation with typed input. */
  call<O extends Operation>(caller: Caller, operation: O, input?: OperationInput<O>, options?: CallOptions): Promise<Reply<ResponseOf<O>>>;
  /** Calls an operation with untyped input. */
  callUntyped(caller: Caller, operation: Operation, input?: UntypedInput, options?: CallOptions): Promise<Reply<unknown>>;
  /** Sends an arbitrary request. */
  send(caller: Caller, request: InjectOptions): Promise<Reply<unknown>>;
}

export function requestUrl(operation: Operation, input: UntypedInput): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Encodes a form; a list repeats its member. */
function encodeForm(body: unknown): string {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(body ?? {})) for (const value of [values].flat()) form.append(name, String(value));
  return form.toString();
}

const requestPayload = ({ form }: Operation, { bytes, body }: UntypedInput): { payload?: string | Buffer } =>
  bytes ? { payload: bytes } : body === undefined ? {} : { payload: form ? encodeForm(body) : JSON.stringify(body) };
const contentType = ({ form, mediaType }: Operation, { bytes, body }: UntypedInput): Record<string, string> => {
  if (body === undefined && !bytes) return {};
  return { "content-type": bytes ? (mediaType ?? "application/octet-stream") : form ? "application/x-www-form-urlencoded" : "application/json" };
};

export function createClient(server: FastifyInstance): Client {
  async function send(caller: Caller, request: InjectOptions): Promise<Reply<unknown>> {
    const response = await server.inject({ ...request, headers: { ...caller.headers, ...request.headers } });
    const { statusCode: status, headers, body: text } = response;
    const problem = checkAgainstDocument({
      method: request.method ?? "GET",
      url: typeof request.url === "string" ? request.url : (request.url?.pathname ?? ""),
      status,
      contentType: headers["content-type"],
      text,
    });
    if (problem !== null) throw new Error(problem);
    return {
      status,
      headers,
      text,
      get response() {
        if (status >= 300) throw new Error(`${request.method} ${String(request.url)} as ${caller.name}: ${status} ${text}`);
        return text === "" ? undefined : (JSON.parse(text) as unknown);
      },
      get problem() {
        if (status < 400) throw new Error(`${request.method} ${String(request.url)} as ${caller.name} succeeded: ${text}`);
        return JSON.parse(text) as Problem;
      },
    };
  }

  const callUntyped: Client["callUntyped"] = (caller, operation, input = {}, options = {}) =>
    send(caller, {
      method: operation.method,
      url: requestUrl(operation, input),
      ...requestPayload(operation, input),
      headers: {
        ...contentType(operation, input),
        ...input.headers,
        ...options.headers,
      },
      ...(options.address === undefined ? {} : { remoteAddress: options.address }),
    });

  return { send, callUntyped, call: (caller, operation, input, options) => callUntyped(caller, operation, input as UntypedInput, options) as never };
}
