/** One rung of the ladder per operation: what is right, what is wrong, what is not theirs. */
import type { Caller, Reply, UntypedInput } from "../client.ts";
import type { Fixtures } from "../cast.ts";

export interface Case {
  /** Who asks; the owner unless said. Every call gets somebody who is signed in. */
  as?: (fixtures: Fixtures) => Caller | Promise<Caller>;
  /** A right request; made anew for each use. */
  valid: (fixtures: Fixtures) => UntypedInput | Promise<UntypedInput>;
  /** What the answer to the right request must say. */
  assertResponse: (result: {
    // oxlint-disable-next-line typescript/no-explicit-any -- a case says by its expectations what the answer is
    data: any;
    // oxlint-disable-next-line typescript/no-explicit-any
    response: any;
    input: UntypedInput;
    fixtures: Fixtures;
    caller: Caller;
    reply: Reply<unknown>;
  }) => void | Promise<void>;
  /** What a right request answers with, where it is neither 200 nor, without an answer, 204. */
  status?: number;
  /** What wrong values are answered with, where it is not 400. */
  invalidStatus?: number;
  /** Wrong values of each member, by `body.name`, `params.name` or `query.name`. */
  invalid: Record<string, readonly unknown[]>;
  /** Objects that exist, but not for this caller: what is named, the request, the status. */
  rejected: readonly (readonly [what: string, given: (fixtures: Fixtures) => UntypedInput | Promise<UntypedInput>, status: number])[];
  /** Borders of the rule: right requests that are easily got wrong. */
  edgeCases: Record<string, (fixtures: Fixtures) => Promise<void>>;
}

export const LONE_SURROGATE = "\ud800";
const BAD_TEXT = [5, true, {}, ["x"], "with \0 inside", `lone ${LONE_SURROGATE}`, "bell \u0007"];

export const BAD_ID = [0, -1, 1.5, "1", true, {}, [1], 1e20, null];
export const BAD_ID_IN_PATH = ["0", "-1", "ten", "1e3", "0x1", "1.5", "99999999999999999999", "1 "];
/** For members that may be null. */
export const withoutNull = (values: readonly unknown[]): unknown[] => values.filter((value) => value !== null);
export const badText = (max: number): unknown[] => [...BAD_TEXT, null, "x".repeat(max + 1)];
export const badLine = (max: number): unknown[] => [...badText(max), "", "  ", "two\nlines", "turned \u202e around", "zero\u200bwidth"];
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
export const BAD_LIMIT_IN_QUERY = ["0", "-1", "ten", "1.5", "", "1e3"];
