/** A failure that the caller may know about; routes turn it into an RFC 9457 problem. */
export type InputFault = { path: string; message: string };

const TITLES: Record<number, string> = {
  400: "The request is not valid",
  401: "Sign-in needed",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  408: "The request took too long",
  409: "Conflict",
  412: "Somebody else is signed in",
  413: "Too large",
  414: "Address too long",
  415: "Content type not supported",
  429: "Too many requests",
  431: "Headers too large",
  500: "Something went wrong on our side",
  503: "Not available right now",
  507: "No space left",
};

export class Fault extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors: InputFault[] | undefined;
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Further members of the problem. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, detail: string, more: { errors?: InputFault[]; retryAfter?: number; members?: Record<string, unknown> } = {}) {
    super(detail);
    this.name = "Fault";
    this.status = status;
    this.title = TITLES[status] ?? "Error";
    this.errors = more.errors;
    this.retryAfter = more.retryAfter;
    this.members = more.members ?? {};
  }
}

export const titleOf = (status: number): string => TITLES[status] ?? "Error";
export const invalid = (path: string, message: string): Fault => new Fault(400, `${path}: ${message}`, { errors: [{ path, message }] });
/** Unknown and invisible look the same. */
export const notFound = (what: string): Fault => new Fault(404, `There is no such ${what}, or you cannot see it.`);
export const forbidden = (detail: string): Fault => new Fault(403, detail);
export const unauthorized = (detail: string): Fault => new Fault(401, detail);
export const conflict = (detail: string): Fault => new Fault(409, detail);
