/** Defines `ApiError`, the only error that service calls throw. */
import type { MetadataValues } from "../../contract/metadata-records.ts";
import { type Organisation, problem } from "../../contract/records.ts";
import { parseJson } from "../lib/parse-json.ts";

export interface FieldError {
  /** Path in the request body: "password", "project_ids.0". */
  path: string;
  message: string;
}

interface ApiErrorOptions {
  /**
   * `blocked`: the browser allows no request; `offline`: no response; `timeout`: none in time; `problem`: an error from the service; `malformed`: a response of unexpected shape; `not-offered`: the
   * service does not have the operation, so no request was made; `too-large`: more bytes than the page can hold.
   */
  kind: "blocked" | "offline" | "timeout" | "problem" | "malformed" | "not-offered" | "too-large";
  /** HTTP status; 0 without a response. */
  status: number;
  title: string;
  detail?: string;
  errors?: FieldError[];
  /** Organizations to choose from, if a sign-in fits accounts in several. */
  organisations?: Organisation[];
  /** The values that a file has by now, if a change of its metadata expected others. */
  currentValues?: MetadataValues;
  /** How many files would lose a value by a change of a metadata field. */
  lostValueCount?: number;
  /** Leads back to the app that asked for consent, with the error. */
  returnUrl?: string;
  requestId?: string;
  /** Seconds to wait before a retry, as the service requests. */
  retryAfter?: number;
}

/**
 * What a request that is repeated by itself does after an error. `wait`: the service was not reached, asked to wait, or lacks the user's session (401,
 * 412), so it is repeated without limit; `retry`: the service failed temporarily, so it is repeated a few times; `refused`: it would fail again.
 */
export type FailureKind = "wait" | "retry" | "refused";

const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorOptions["kind"];
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: FieldError[];
  readonly organisations: Organisation[];
  readonly currentValues: MetadataValues | undefined;
  readonly lostValueCount: number | undefined;
  readonly returnUrl: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(options: ApiErrorOptions, cause?: unknown) {
    super(options.detail ? `${options.title}: ${options.detail}` : options.title, { cause });
    this.kind = options.kind;
    this.status = options.status;
    this.title = options.title;
    this.detail = options.detail;
    this.errors = options.errors ?? [];
    this.organisations = options.organisations ?? [];
    this.currentValues = options.currentValues;
    this.lostValueCount = options.lostValueCount;
    this.returnUrl = options.returnUrl;
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
  }

  /** True if the service is only temporarily unreachable: no response, an error from a proxy, or a request to retry later. */
  get isUnavailable(): boolean {
    return this.kind === "offline" || this.kind === "timeout" || UNAVAILABLE_STATUSES.has(this.status);
  }

  get failureKind(): FailureKind {
    if (this.isUnavailable || this.status === 401 || this.status === 412) return "wait";
    return this.isTemporary || this.kind === "malformed" ? "retry" : "refused";
  }

  /** The most specific text for the user. */
  get reason(): string {
    return this.errors[0]?.message ?? this.detail ?? this.title;
  }

  /** True if the same call may succeed later without any change. */
  get isTemporary(): boolean {
    return this.kind === "offline" || this.kind === "timeout" || this.status === 429 || this.status >= 500;
  }
}

export const offlineError = (cause: unknown) => new ApiError({ kind: "offline", status: 0, title: "Can't reach the server" }, cause);

export const timeoutError = (timeoutMs: number, cause: unknown) =>
  new ApiError({ kind: "timeout", status: 0, title: "The server took too long to respond", detail: `No response within ${timeoutMs / 1000} s` }, cause);

export const noDescriptionError = () => new ApiError({ kind: "malformed", status: 0, title: "The service did not describe itself" });

export const mixedContentError = () => new ApiError({ kind: "blocked", status: 0, title: "Your browser lets pages on https use only services on https" });

export const notOfferedError = () => new ApiError({ kind: "not-offered", status: 0, title: "This service does not offer this" });

export const tooLargeError = () => new ApiError({ kind: "too-large", status: 0, title: "This is too large to load with an access token" });

/** Parses a `Retry-After` header, a number of seconds or a date, into seconds. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** Converts an unsuccessful response to an `ApiError`, even if a proxy in between returned HTML. */
export function toApiError(response: Response, text: string): ApiError {
  const retryAfter = parseRetryAfter(response.headers.get("retry-after"));
  const result = problem.safeParse(parseJson(text));
  if (!result.success) {
    return new ApiError({ kind: "problem", status: response.status, title: `The service responded with HTTP status ${response.status}`, retryAfter });
  }
  const { title, detail, errors, organisations } = result.data;
  const { current_values: currentValues, lost_value_count: lostValueCount, return_url: returnUrl, request_id: requestId } = result.data;
  const members = { title, detail, errors, organisations, currentValues, lostValueCount, returnUrl, requestId };
  return new ApiError({ kind: "problem", status: response.status, ...members, retryAfter });
}
