/** The endpoint case of an operation: valid requests, invalid input, and resources that the caller cannot access. */
import type { Caller, Reply, UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";

export interface EndpointCase {
  /** The caller, by default the owner. Callers are always signed in. */
  caller?: (fixtures: Fixtures) => Caller | Promise<Caller>;
  /** A valid request, built anew for each use. */
  valid: (fixtures: Fixtures) => UntypedInput | Promise<UntypedInput>;
  /** Asserts on the response to the valid request. */
  assertResponse: (result: {
    // oxlint-disable-next-line typescript/no-explicit-any -- the expectations of each case determine the type of its response
    data: any;
    // oxlint-disable-next-line typescript/no-explicit-any
    response: any;
    input: UntypedInput;
    fixtures: Fixtures;
    caller: Caller;
    reply: Reply<unknown>;
  }) => void | Promise<void>;
  /** The status of a valid request if it is neither 200 nor, for an operation without a response, 204. */
  status?: number;
  /** The status for invalid values if it is not 400. */
  invalidStatus?: number;
  /** Invalid values by member: `body.name`, `params.name` or `query.name`. */
  invalid: Record<string, readonly unknown[]>;
  /** Requests for resources that the caller cannot access: description, request, status. */
  rejectedRequests: readonly (readonly [description: string, createInput: (fixtures: Fixtures) => UntypedInput | Promise<UntypedInput>, status: number])[];
  /** Boundary conditions: valid requests that are easy to get wrong. */
  edgeCases: Record<string, (fixtures: Fixtures) => Promise<void>>;
}

export const LONE_SURROGATE = "\ud800";
const BAD_TEXT = [5, true, {}, ["x"], "with \0 inside", `lone ${LONE_SURROGATE}`, "bell \u0007"];

export const BAD_ID = [0, -1, 1.5, "1", true, {}, [1], 1e20, null];
export const BAD_ID_IN_PATH = ["0", "-1", "ten", "1e3", "0x1", "1.5", "99999999999999999999", "1 "];
/** Removes null, for nullable members. */
export const withoutNull = (values: readonly unknown[]): unknown[] => values.filter((value) => value !== null);
export const badText = (max: number): unknown[] => [...BAD_TEXT, null, "x".repeat(max + 1)];
/** Invisible characters are not among them: a text that somebody searches for may be copied. */
export const badSearchText = (max: number): unknown[] => [...badText(max), "", "  ", "two\nlines"];
export const badLine = (max: number): unknown[] => [...badSearchText(max), "turned \u202e around", "zero\u200bwidth"];
export const BAD_EMAIL = [...BAD_TEXT, null, "", "nobody", "a b@c.test", "a@", "@b", "a@b@c", `${"x".repeat(250)}@b.test`];
export const BAD_PASSWORD = [
  5,
  null,
  {},
  "short",
  "x".repeat(257),
  `lone surrogate ${LONE_SURROGATE}`,
  "nul in a password \0",
  "passwordpassword",
  "aaaaaaaaaaaaaaa",
];
export const BAD_SECRET = [5, null, {}, "", "x".repeat(257), `x${LONE_SURROGATE}`, "\0"];
export const BAD_ROLE = ["boss", "", null, 1, "Owner"];
export const BAD_BOOLEAN = ["true", 1, null, {}];
export const BAD_PAGE_IN_BODY = { "body.cursor": ["x", "", 5, null], "body.limit": [0, -1, "ten", 1.5] };
export const BAD_LIMIT_IN_QUERY = ["0", "-1", "ten", "1.5", "", "1e3"];
export const BAD_TIMESTAMP_IN_QUERY = ["", "yesterday", "0", "2026-03-02", "2026-03-02T09:00:00", "2026-13-01T00:00:00Z"];
export const BAD_TIMESTAMP = [...BAD_TIMESTAMP_IN_QUERY, 5, null];
export const BAD_LINE_IN_QUERY = (max: number) => ["", "  ", "x".repeat(max + 1), "two\nlines", "nul\0", "turned \u202e around"];
export const BAD_IDS_IN_QUERY = ["", "0", "1,", ",1", "1,,2", "x", "1 2", "-1", "1.5", Array.from({ length: 501 }, (_, index) => index + 1).join(",")];
