/** The one error that calls of the service throw. */
import { problem } from "../../contract/records.ts";

export interface FieldError {
  /** As in the request's body: "password", "project_ids.0". */
  path: string;
  message: string;
}

interface Facts {
  /** `offline`: no answer; `timeout`: too late; `problem`: the service said no; `malformed`: an answer of another shape. */
  kind: "offline" | "timeout" | "problem" | "malformed";
  /** HTTP status; 0 without an answer. */
  status: number;
  title: string;
  detail?: string;
  errors?: FieldError[];
  requestId?: string;
  /** Seconds that the service asks to wait. */
  retryAfter?: number;
}

const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: Facts["kind"];
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: FieldError[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(facts: Facts, cause?: unknown) {
    super(facts.detail ? `${facts.title}: ${facts.detail}` : facts.title, { cause });
    this.kind = facts.kind;
    this.status = facts.status;
    this.title = facts.title;
    this.detail = facts.detail;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }

  /** True where nobody answered, only a proxy did, or the service asks to come again: a matter of time alone. */
  get isAway(): boolean {
    return this.kind === "offline" || this.kind === "timeout" || AWAY.has(this.status);
  }

  /** True where the same call may succeed later without any change. */
  get isTemporary(): boolean {
    return this.kind === "offline" || this.kind === "timeout" || this.status === 429 || this.status >= 500;
  }
}

export const offline = (cause: unknown) => new ApiError({ kind: "offline", status: 0, title: "The service cannot be reached" }, cause);

export const timedOut = (milliseconds: number, cause: unknown) =>
  new ApiError({ kind: "timeout", status: 0, title: "The service did not answer in time", detail: `No answer within ${milliseconds / 1000} s` }, cause);

/** Seconds of a `Retry-After` header: a number or a date. */
export function retryAfterOf(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** The error in an answer that is not a success; also of a proxy in between that speaks HTML. */
export function problemFrom(response: Response, text: string): ApiError {
  const retryAfter = retryAfterOf(response.headers.get("retry-after"));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const result = problem.safeParse(json);
  if (!result.success) {
    return new ApiError({ kind: "problem", status: response.status, title: response.statusText || `HTTP ${response.status}`, retryAfter });
  }
  const { title, detail, errors, request_id: requestId } = result.data;
  return new ApiError({ kind: "problem", status: response.status, title, detail, errors, requestId, retryAfter });
}
