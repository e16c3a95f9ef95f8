/** Text, ids and times as they cross the wire: checked, never repaired. */
import "./zod-settings.ts";
import * as z from "zod/mini";

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
/** C0 controls but tab, line feed and carriage return. */
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;
const LINE_BREAK = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/;
/** What is not seen but makes another name, or turns the text around it: zero-width space and joiner of words, byte order mark, bidirectional overrides. */
const INVISIBLE = /[\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\uFEFF]/;

/** Says what is wrong with `text`, or null. Lengths count characters (code points), not UTF-16 units. */
export function findTextIssue(text: string, limits: { min?: number; max: number; singleLine?: boolean }): string | null {
  if (text.includes("\0")) return "must not contain NUL characters";
  if (LONE_SURROGATE.test(text)) return "must be well-formed Unicode (it has a lone surrogate)";
  if (limits.singleLine ? LINE_BREAK.test(text) : CONTROL.test(text)) {
    return limits.singleLine ? "must be one line without control characters" : "must not contain control characters";
  }
  if (limits.singleLine && INVISIBLE.test(text)) return "must not contain invisible characters";
  const length = text.length <= limits.max ? text.length : [...text].length;
  if (length > limits.max) return `must have at most ${limits.max.toLocaleString("en")} characters (it has ${length.toLocaleString("en")})`;
  if ((limits.singleLine ? text.trim() : text).length < (limits.min ?? 0)) return "must not be empty";
  return null;
}

/** Nothing that an engine would refuse or change. */
const wellFormed = z.check<string>((context) => {
  const issue = findTextIssue(context.value, { max: Infinity });
  if (issue) context.issues.push({ code: "custom", message: issue, input: context.value });
});

function constrainedString(limits: { min?: number; max: number; singleLine?: boolean }) {
  return z.string().check(
    z.check<string>((context) => {
      const issue = findTextIssue(context.value, limits);
      if (issue) context.issues.push({ code: "custom", message: issue, input: context.value });
    }),
    z.meta({ maxLength: limits.max, ...(limits.min ? { minLength: limits.min } : {}) }),
  );
}

/** Free text of several lines. */
export const text = (max: number, min = 0) => constrainedString({ min, max });
/** A name or title: one line, not blank. */
export const line = (max: number, min = 1) => constrainedString({ min, max, singleLine: true });

/** The same schema with a sentence for the API page. */
export const withDescription = <S extends z.ZodMiniType>(schema: S, description: string): S => schema.check(z.describe(description));

/** A person's name. Without "@", so that nobody can be called like another's e-mail address. */
export const username = line(60).check(z.refine((name) => !name.includes("@"), { message: "must not contain @" }));

export const id = z.int().check(z.positive());
/** An id inside a path or a query string. */
export const idInPath = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a positive integer")), z.transform(Number));
/** A writer's own name for what they write. */
export const clientId = z.string().check(z.regex(/^[\w.:-]{8,64}$/, "must be 8 to 64 letters, digits or . _ : -"));
/** ISO 8601 in UTC. Read tolerantly; written with milliseconds and "Z". */
export const timestamp = z.string().check(z.meta({ format: "date-time" }));
/** A moment that a caller sends: ISO 8601, any offset. */
export const dateTime = z.iso.datetime({ offset: true });
const DAY = /^(\d{4}-\d{2}-\d{2})(T00:00(:00(\.0{1,9})?)?Z)?$/;
const isDay = (value: string): boolean => {
  const [, day] = DAY.exec(value) ?? [];
  // A day that its month does not have comes out as another one.
  return day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
};
/** A day of the calendar that a caller sends, the same everywhere: "2026-03-02", or the moment at which it begins in UTC. */
export const day = z.string().check(z.refine(isDay, { message: "must be a day, as 2026-03-02 or 2026-03-02T00:00:00Z" }), z.meta({ format: "date-time" }));
export const email = z.string().check(wellFormed, z.maxLength(254), z.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be an e-mail address"));
/** Long enough to resist guessing (12), short enough not to be a burden to hash. */
export const newPassword = z
  .string()
  .check(wellFormed, z.minLength(12, "must have at least 12 characters"), z.maxLength(256, "must have at most 256 characters"));
/** A secret that arrived in a link or a form; only compared, never stored. */
export const secret = z.string().check(wellFormed, z.minLength(1, "must not be empty"), z.maxLength(256));
/** What somebody signs in with: a name or an address. */
export const login = z.string().check(wellFormed, z.minLength(1, "must not be empty"), z.maxLength(254));
