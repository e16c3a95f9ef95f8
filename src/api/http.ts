/** Calls contract operations over HTTP, with types, a timeout, abort and one error class. */
import type * as z from "zod/mini";
import { ACCOUNT_HEADER } from "../../contract/account-header.ts";
import type { ResponseOf, Input, Operation } from "../../contract/define-operation.ts";
import { syncClock } from "../lib/time.ts";
import { ApiError, offlineError, toApiError, timeoutError } from "./api-error.ts";

/** Location and credentials of a service; without a token, the browser's session cookie authenticates. */
export interface Connection {
  /** Origin without a trailing slash; "" is the origin of this page. */
  base: string;
  token?: string;
}
/** The service that served this page. */
export const defaultConnection: Connection = { base: "" };

export interface CallOptions {
  connection?: Connection;
  signal?: AbortSignal;
  /** Milliseconds until the whole response must have arrived. */
  timeoutMs?: number;
  /** The service returns the first result for a repeated key with the same input instead of running the operation again. */
  idempotencyKey?: string;
  /** Account that makes the request, refused if the browser's cookie names another one. Defaults to the page's account; null accepts any. */
  accountId?: number | null;
}

const TIMEOUT_MS = 15_000;

type UrlValues<T> = { [K in keyof T]: T[K] extends string | undefined ? T[K] | number : T[K] };
type Defined<T> = T extends undefined ? never : T;
/** Input of an operation, without the parts that the operation does not have. Path and query values may be numbers. */
export type CallInput<O extends Operation> = (O["params"] extends z.ZodMiniType ? { params: UrlValues<Input<O>["params"]> } : unknown) &
  (O["query"] extends z.ZodMiniType ? { query?: UrlValues<Defined<Input<O>["query"]>> } : unknown) &
  (O["body"] extends z.ZodMiniType ? (undefined extends Input<O>["body"] ? { body?: Input<O>["body"] } : { body: Input<O>["body"] }) : unknown);

/** Input type of an operation's body. */
export type BodyOf<O extends { body: { _zod: { input: unknown } } }> = O["body"]["_zod"]["input"];

type UntypedInput = { params?: Record<string, string | number>; query?: Record<string, unknown>; body?: unknown };

/** Fills the parameters of `/a/{id}` and adds the query, without null and undefined members. */
export function buildUrl(path: string, params: Record<string, string | number> = {}, query: Record<string, unknown> = {}): string {
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size > 0 ? `${pathname}?${search}` : pathname;
}

let actingAccountId: number | null = null;
/** Sets the account that the page acts for, whichever account the browser's cookie names later; null accepts any account. */
export function setActingAccount(accountId: number | null): void {
  actingAccountId = accountId;
}
const accountMismatchListeners = new Set<() => void>();
/** Calls `listener` whenever a request was refused because the browser's cookie names another account (412). Returns an unsubscribe function. */
export function onAccountMismatch(listener: () => void): () => void {
  accountMismatchListeners.add(listener);
  return () => accountMismatchListeners.delete(listener);
}
/** Returns the header that names the acting account; empty with a token, which identifies its own account. */
export const accountHeaders = (accountId = actingAccountId, connection = defaultConnection): Record<string, string> =>
  accountId === null || connection.token ? {} : { [ACCOUNT_HEADER]: String(accountId) };

const signedOutListeners = new Set<(connection: Connection) => void>();
/** Calls `listener` whenever the service rejects the credentials (401 from an operation that requires a sign-in). Returns an unsubscribe function. */
export function onSignedOut(listener: (connection: Connection) => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Calls an operation and returns its validated response. Throws `ApiError`, or the abort reason of `signal`. */
export async function call<O extends Operation>(operation: O, input: CallInput<O>, options: CallOptions = {}): Promise<ResponseOf<O>> {
  const { connection = defaultConnection, signal, timeoutMs = TIMEOUT_MS } = options;
  const { params, query, body } = input as UntypedInput;
  const timeoutSignal = AbortSignal.timeout(timeoutMs);
  const headers = new Headers({ accept: "application/json", ...accountHeaders(options.accountId, connection) });
  if (connection.token) headers.set("authorization", `Bearer ${connection.token}`);
  if (options.idempotencyKey) headers.set("idempotency-key", options.idempotencyKey);
  if (body !== undefined) headers.set("content-type", "application/json");

  let response: Response;
  let text: string;
  try {
    response = await fetch(connection.base + buildUrl(operation.path, params, query), {
      method: operation.method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
      // A token identifies its account; a cookie sent beside it would be ambiguous.
      credentials: connection.token ? "omit" : connection.base === "" ? "same-origin" : "include",
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw timeoutSignal.aborted ? timeoutError(timeoutMs, cause) : offlineError(cause);
  }

  if (connection === defaultConnection) syncClock(response.headers.get("date"));
  if (!response.ok) {
    if (response.status === 412) for (const listener of accountMismatchListeners) listener();
    if (response.status === 401 && operation.scope !== null) for (const listener of signedOutListeners) listener(connection);
    throw toApiError(response, text);
  }
  if (!operation.response) return undefined as ResponseOf<O>;
  return parseResponse(operation, operation.response, response, text) as ResponseOf<O>;
}

function parseResponse(operation: Operation, schema: z.ZodMiniType, response: Response, text: string): unknown {
  const malformedError = (detail: string, cause?: unknown) =>
    new ApiError(
      {
        kind: "malformed",
        status: response.status,
        title: "The service's response is invalid",
        detail: `${operation.method} ${operation.path}: ${detail}`,
      },
      cause,
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw malformedError("no JSON", cause);
  }
  const result = schema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw malformedError(issue ? `${issue.path.join(".")}: ${issue.message}` : "another shape", result.error);
  }
  return result.data;
}
