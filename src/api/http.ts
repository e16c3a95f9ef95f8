/** Calls contract operations over HTTP, with types, a timeout, abort and one error class. */
import type * as z from "zod/mini";
import { ACCOUNT_HEADER } from "../../contract/account-header.ts";
import type { Feature, ResponseOf, Input, Operation } from "../../contract/define-operation.ts";
import { isOffered, needsSession } from "../../contract/offered-operations.ts";
import { parseJson } from "../lib/parse-json.ts";
import { createEmitter, createStore } from "../lib/store.ts";
import { type Clock, createClock } from "../lib/time.ts";
import { ApiError, noDescriptionError, notOfferedError, toApiError } from "./api-error.ts";
import { type Discovery, discoverService, probeDocumented, type Service } from "./discover-service.ts";
import { toForwardedUrls } from "./forwarded-urls.ts";
import { parseResponse } from "./parse-response.ts";
import { sendRequest } from "./send-request.ts";

export interface CallOptions {
  signal?: AbortSignal | null;
  /** Milliseconds until the whole response must have arrived. */
  timeoutMs?: number;
  /** The service returns the first result for a repeated key with the same input instead of running the operation again. */
  idempotencyKey?: string;
  /** Sent instead of JSON, to operations whose body is bytes. */
  bytes?: Blob;
  /** Account that makes the request, refused if the browser's cookie names another one. Defaults to the acting account; null accepts any. */
  accountId?: number | null;
}

const TIMEOUT_MS = 15_000;
const BYTES_TIMEOUT_MS = 30_000;

type UrlValues<T> = { [K in keyof T]: T[K] extends string | undefined ? T[K] | number : T[K] };
type Defined<T> = T extends undefined ? never : T;
/** Input of an operation, without the parts that the operation does not have. Path and query values may be numbers. */
export type CallInput<O extends Operation> = (O["params"] extends z.ZodMiniType ? { params: UrlValues<Input<O>["params"]> } : unknown) &
  (O["query"] extends z.ZodMiniType ? { query?: UrlValues<Defined<Input<O>["query"]>> } : unknown) &
  (O["body"] extends z.ZodMiniType ? (undefined extends Input<O>["body"] ? { body?: Input<O>["body"] } : { body: Input<O>["body"] }) : unknown);

/** Input type of an operation's body. */
export type BodyOf<O extends { body: { _zod: { input: unknown } } }> = O["body"]["_zod"]["input"];

/** The `data` of an operation's response. */
export type DataOf<O extends Operation> = ResponseOf<O> extends { data: infer Data } ? Data : undefined;

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

export interface ApiOptions {
  /** Address of the service, which may have a path, without a trailing slash; "" is the origin of this page. */
  baseUrl?: string;
  /** Identifies the account; without a token, the browser's session cookie of this page's origin does. */
  token?: string;
  /** Address of the service to which this page's origin forwards requests. */
  upstream?: string;
  /** Follows the service's clock. */
  clock?: Clock;
}

export type Api = ReturnType<typeof createApi>;

/** Creates the access to one service, on which its operations are called. */
export function createApi({ baseUrl = "", token: initialToken, upstream, clock = createClock() }: ApiOptions = {}) {
  let token = initialToken;
  /** True after a 401, until the same operation succeeds or another token is set: another operation may need other rights. */
  const isTokenRefused = createStore(false);
  let refusedOperation: string | null = null;
  /** True if the service is known to describe itself, so that another response comes from a proxy, or from a service that fails. */
  let isDescriptionExpected = false;
  /** What the service says about itself; null if it has only the documented operations, undefined until that is known. */
  const service = createStore<Service | null | undefined>(undefined);
  /** The request for the description that is in flight. */
  let description: Promise<Service | null> | null = null;
  /** The features that the service listed on the page before. */
  let lastFeatures: readonly string[] | undefined;
  let actingAccountId: number | null = null;
  const accountMismatch = createEmitter();
  const signedOut = createEmitter();
  // A token identifies its account; a cookie sent beside it would be ambiguous. Sessions by cookie exist only on the page's own origin.
  const credentials = (): RequestCredentials => (token ? "omit" : "same-origin");
  const address = (path = "/"): string => (baseUrl || location.origin) + path;
  /** Returns the address of the service itself, which names what the browser stores of it, also if this page's origin forwards requests to it. */
  const serviceUrl = (): string => upstream || address("");
  /** Relative URLs in the records of another service stand for addresses below its own. */
  const recordBase = upstream || baseUrl ? `${serviceUrl()}/` : "";
  /** Replaces the URLs in what the service sends that lead past a page whose origin forwards to it. */
  const toOwnUrls = (json: unknown): unknown => (upstream ? toForwardedUrls(json, upstream, address) : json);
  /** The features of the service: null if it has only the documented operations, undefined while that is unknown. */
  function features(): readonly string[] | null | undefined {
    const current = service.get();
    return current === undefined ? lastFeatures : (current?.features ?? null);
  }
  /** No service accepts a token for what needs a session. */
  function offers(operation: Operation): boolean {
    const listed = features();
    return !(token && operation.scope === "session") && (listed === undefined || isOffered(operation, listed));
  }
  function hasFeature(feature: Feature): boolean {
    const listed = features();
    return !(token && needsSession(feature)) && (listed === undefined || (listed?.includes(feature) ?? false));
  }

  /** Returns the headers of a request for an account: the token, which identifies its own account, or the account's id; null accepts any account. */
  function accountHeaders(accountId = actingAccountId): Record<string, string> {
    if (token) return { authorization: `Bearer ${token}` };
    return accountId === null ? {} : { [ACCOUNT_HEADER]: String(accountId) };
  }

  /** Calls an operation and returns its validated response. Throws `ApiError`, without a request if the service lacks it, or the abort reason of `signal`. */
  async function call<O extends Operation>(operation: O, input: CallInput<O>, options: CallOptions = {}): Promise<ResponseOf<O>> {
    // The service may have more features than on the page before, whose list decides only what is shown.
    if (!offers(operation) && lastFeatures && service.get() === undefined) await discover();
    if (!offers(operation)) throw notOfferedError();
    const { params, query, body } = input as UntypedInput;
    const sentToken = token;
    const headers = new Headers({ accept: "application/json", ...accountHeaders(options.accountId) });
    // The service document names no such header, and a browser asks a service of another origin for permission to send it.
    if (options.idempotencyKey && service.get() !== null) headers.set("idempotency-key", options.idempotencyKey);
    const payload = options.bytes ?? (body === undefined ? undefined : JSON.stringify(body));
    if (payload !== undefined) headers.set("content-type", options.bytes ? (operation.mediaType ?? "application/octet-stream") : "application/json");
    const [response, text] = await sendRequest(
      baseUrl + buildUrl(operation.path, params, query),
      (received) => received.text(),
      options.timeoutMs ?? TIMEOUT_MS,
      {
        credentials: credentials(),
        method: operation.method,
        headers,
        body: payload,
        signal: options.signal ?? null,
      },
    );
    clock.sync(response.headers.get("date"));
    const operationName = `${operation.method} ${operation.path}`;
    if (operation.scope !== null && sentToken === token) {
      if (response.status === 401) refusedOperation = operationName;
      if (response.status === 401 || refusedOperation === operationName) isTokenRefused.set(response.status === 401);
    }
    if (!response.ok) {
      if (response.status === 412) accountMismatch.emit();
      if (response.status === 401 && operation.scope !== null && sentToken === token) signedOut.emit();
      throw toApiError(response, text);
    }
    if (!operation.response) return undefined as ResponseOf<O>;
    // A service that describes itself nearly always fits the schemas, so the code that reads others as well as possible loads only where it is needed.
    const isUsual = baseUrl === "" && !upstream && service.get() !== null;
    const strict = isUsual ? operation.response.safeParse(toOwnUrls(parseJson(text))) : null;
    if (strict?.success) return strict.data as ResponseOf<O>;
    return (await parseResponse(operation, operation.response, response, parseJson(text), { body, base: recordBase, toOwnUrls })) as ResponseOf<O>;
  }

  /** A service of the service document may fail for a path that it does not have; its own page's service may not. */
  async function findDiscovery(): Promise<Discovery> {
    try {
      return await discoverService(baseUrl, token);
    } catch (error) {
      const isFailure = error instanceof ApiError && (error.status >= 500 || error.kind === "timeout");
      const isServiceOfPage = baseUrl === "" && !token && !upstream;
      if (!isFailure || isServiceOfPage || isDescriptionExpected || (await probeDocumented(baseUrl, token)) === "unknown") throw error;
      return { kind: "documented" };
    }
  }

  async function requestDescription(): Promise<Service | null> {
    const discovery = await findDiscovery();
    if (discovery.kind === "described") {
      isDescriptionExpected = true;
      service.set(discovery.service);
    } else if (isDescriptionExpected) throw noDescriptionError();
    else service.set(null);
    return service.get() ?? null;
  }

  async function discover(): Promise<Service | null> {
    if (service.get() === null) return null;
    description ??= requestDescription().finally(() => {
      description = null;
    });
    return description;
  }

  return {
    call,
    /** Calls an operation and returns the `data` of its response. */
    data: async <O extends Operation>(operation: O, input: CallInput<O>, options?: CallOptions): Promise<DataOf<O>> =>
      ((await call(operation, input, options)) as { data?: unknown } | undefined)?.data as DataOf<O>,
    /** Fetches all bytes at a URL of a record. Sends the token only to the service itself. Throws `ApiError`, or the abort reason of `signal`. */
    async fetchBytes(url: string, headers: Record<string, string> = {}, { signal = null, timeoutMs = BYTES_TIMEOUT_MS }: CallOptions = {}) {
      const resolved = new URL(url, address());
      const isOfService = resolved.origin === new URL(address()).origin;
      const init = { credentials: credentials(), headers: { ...headers, ...(isOfService ? accountHeaders(null) : {}) }, signal };
      const [response, bytes] = await sendRequest(resolved, (received) => received.arrayBuffer(), timeoutMs, init);
      if (!response.ok) throw toApiError(response, new TextDecoder().decode(bytes));
      return { status: response.status, bytes };
    },
    /** Returns whether the service responds, whatever it says; not while it, or a gateway in its place, asks to wait. */
    isReachable: (): Promise<boolean> =>
      discoverService(baseUrl, token).then(
        () => true,
        (error: unknown) => error instanceof ApiError && !error.isUnavailable,
      ),
    /** What the service says about itself: null if it has only the operations of the service document, undefined until `discover` has resolved. */
    service,
    /**
     * Requests what the service says about itself, which `service` then holds. A service that does not describe itself is never asked again; one that has
     * described itself keeps its description, and a response that is none is an error.
     */
    discover,
    /**
     * Makes a response without description an error, for a page of somebody who was signed in to the service before. `knownFeatures` count until the service
     * has described itself.
     */
    expectDescription(knownFeatures?: readonly string[]): void {
      isDescriptionExpected = true;
      lastFeatures = knownFeatures;
    },
    /** Returns whether the service has an operation; true for all while its features are unknown. `call` makes no request for one that it lacks. */
    offers,
    /** Returns whether the service has a feature that this account can use; true for all while its features are unknown. */
    hasFeature,
    accountHeaders,
    get credentials() {
      return credentials();
    },
    /** Returns the full address of a path of the service, for requests that are not made here. */
    address,
    serviceUrl,
    toOwnUrls,
    /** Returns a name for what the browser stores that belongs to this service: `name` itself for the service of this page's origin. */
    storageName: (name: string): string => (upstream || baseUrl ? `${name}:${serviceUrl()}/` : name),
    get hasToken() {
      return token !== undefined;
    },
    /** True if people sign in with a password: only the service of this page's origin gets the session's cookie. */
    get usesSession() {
      return baseUrl === "" && token === undefined;
    },
    isTokenRefused,
    /** Replaces the token of all later requests, as after the service has refused the one before. */
    setToken(next: string): void {
      token = next;
      isTokenRefused.set(false);
    },
    baseUrl,
    upstream: upstream ?? "",
    /** Sets the account that the page acts for, whichever account the browser's cookie names later; null accepts any account. */
    setActingAccount(accountId: number | null): void {
      actingAccountId = accountId;
    },
    /** Calls `listener` whenever a request was refused because the browser's cookie names another account (412). Returns an unsubscribe function. */
    onAccountMismatch: accountMismatch.subscribe,
    /** Calls `listener` whenever the service rejects the credentials (401 from an operation that requires a sign-in). Returns an unsubscribe function. */
    onSignedOut: signedOut.subscribe,
  };
}
