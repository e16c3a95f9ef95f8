/** Errors that the caller may see; routes turn them into RFC 9457 problems. */
export type InputIssue = { path: string; message: string };

const TITLES: Record<number, string> = {
  400: "Invalid request",
  401: "Sign-in required",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  408: "Request timed out",
  409: "Conflict",
  412: "Precondition failed",
  413: "Too large",
  414: "URL too long",
  415: "Content type not supported",
  429: "Too many requests",
  431: "Headers too large",
  500: "Internal server error",
  502: "Bad gateway",
  503: "Temporarily unavailable",
  504: "Gateway timeout",
  507: "No space left",
};

export class HttpError extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors: InputIssue[] | undefined;
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Additional fields of the problem. */
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    detail: string,
    options: { errors?: InputIssue[]; retryAfter?: number; headers?: Record<string, string>; extensions?: Record<string, unknown> } = {},
  ) {
    super(detail);
    this.name = "HttpError";
    this.status = status;
    this.title = TITLES[status] ?? "Error";
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
  }
}

export const statusTitle = (status: number): string => TITLES[status] ?? "Error";
export const invalid = (path: string, message: string): HttpError => new HttpError(400, `${path}: ${message}`, { errors: [{ path, message }] });
/** Unknown and invisible resources get the same error. */
export const notFound = (resource: string): HttpError => new HttpError(404, `No such ${resource}, or you don't have access.`);
export const forbidden = (detail: string): HttpError => new HttpError(403, detail);
export const unauthorized = (detail: string): HttpError => new HttpError(401, detail);
export const conflict = (detail: string): HttpError => new HttpError(409, detail);
