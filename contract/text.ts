/** Text, ids and times as they cross the wire: checked, never repaired. */
import "./zod-settings.ts";
import * as z from "zod/mini";

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
/** C0 controls but tab, line feed and carriage return. */
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;
const LINE_BREAK = /[\u0000-\u001F\u007F\u2028\u2029]/;

/** Says what is wrong with `text`, or null. Lengths count characters (code points), not UTF-16 units. */
export function faultOfText(text: string, limits: { min?: number; max: number; singleLine?: boolean }): string | null {
  if (text.includes("\0")) return "must not contain NUL characters";
  if (LONE_SURROGATE.test(text)) return "must be well-formed Unicode (it has a lone surrogate)";
  if (limits.singleLine ? LINE_BREAK.test(text) : CONTROL.test(text)) {
    return limits.singleLine ? "must be one line without control characters" : "must not contain control characters";
  }
  const length = text.length <= limits.max ? text.length : [...text].length;
  if (length > limits.max) return `must have at most ${limits.max.toLocaleString("en")} characters (it has ${length.toLocaleString("en")})`;
  if ((limits.singleLine ? text.trim() : text).length < (limits.min ?? 0)) return "must not be empty";
  return null;
}

function checked(limits: { min?: number; max: number; singleLine?: boolean }) {
  return z.string().check(
    z.check<string>((context) => {
      const fault = faultOfText(context.value, limits);
      if (fault) context.issues.push({ code: "custom", message: fault, input: context.value });
    }),
    z.meta({ maxLength: limits.max, ...(limits.min ? { minLength: limits.min } : {}) }),
  );
}

/** Free text of several lines. */
export const text = (max: number, min = 0) => checked({ min, max });
/** A name or title: one line, not blank. */
export const line = (max: number, min = 1) => checked({ min, max, singleLine: true });

/** The same schema with a sentence for the API page. */
export const about = <S extends z.ZodMiniType>(schema: S, description: string): S => schema.check(z.describe(description)) as S;

export const id = z.int().check(z.positive());
/** An id inside a path or a query string. */
export const idInPath = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,15}$/, "must be a positive integer")),
  z.transform(Number),
);
/** ISO 8601 in UTC. Read tolerantly; written with milliseconds and "Z". */
export const timestamp = z.string().check(z.meta({ format: "date-time" }));
/** A moment that a caller sends: ISO 8601, any offset. */
export const moment = z.iso.datetime({ offset: true });
export const email = z.string().check(
  z.maxLength(254),
  z.regex(/^[^\s@<>"\u0000-\u001F]+@[^\s@<>"\u0000-\u001F]+$/, "must be an e-mail address"),
);
/** Long enough to resist guessing (12), short enough not to be a burden to hash. */
export const newPassword = z.string().check(
  z.minLength(12, "must have at least 12 characters"),
  z.maxLength(256, "must have at most 256 characters"),
);
/** A secret that arrived in a link or a form; only compared, never stored. */
export const secret = z.string().check(z.minLength(1), z.maxLength(256));
